// Makes elements. Text goes in as text and never as markup, whoever wrote it.

const SVG = "http://www.w3.org/2000/svg";
const ODD = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, properties, ...children) {
  return filled(document.createElement(tag), properties, children);
}

export function s(tag, properties, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

// A name or a text on one line: what turns directions or draws nothing shows as a box. Of what is too long the end of a
// sentence goes, and the middle of a path.
export function cut(text, most = 72) {
  const whole = String(text);
  if (whole.length <= most) return whole.replace(ODD, "\ufffd");
  const tail = /\s/.test(whole.slice(0, 200)) ? 0 : Math.floor(most * 0.6);
  const start = [...whole.slice(0, 2 * most)].slice(0, most - tail - 1);
  const end = tail ? [...whole.slice(-2 * tail)].slice(-tail) : [];
  return `${start.join("")}…${end.join("")}`.replace(ODD, "\ufffd");
}

// The end of a path: as many of its last names as there is room for.
export function ending(path, most) {
  let rest = path;
  for (let next; rest.length > most && (next = rest.indexOf("/", 2)) > 0 && next < rest.length - 1; ) rest = `…${rest.slice(next)}`;
  return cut(rest, Math.max(most, 4));
}

export function named(text, most) {
  const shown = cut(text, most);
  return h("bdi", shown === text ? {} : { title: cut(text, 400) }, shown);
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function directoryOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function baseOf(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function isBelow(path, directory) {
  return !directory || path === directory || path.startsWith(`${directory}/`);
}

// What a colour of the style sheet is now, for canvases.
export function colour(name) {
  const probe = h("i", { style: { color: `var(--${name})` } });
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

// Arrow keys move among the children of an element that can be reached; Tab leaves it.
export function roving(parent, selector, columns = null) {
  const all = () => [...parent.querySelectorAll(selector)];
  const rest = () => all().forEach((one, place) => one.setAttribute("tabindex", place ? "-1" : "0"));
  rest();
  parent.addEventListener("keydown", (event) => {
    const items = all();
    const here = items.indexOf(event.target.closest(selector));
    const to = here < 0 ? null : (columns ?? along)(event.key, here, items);
    if (to === null || !items[to]) return;
    event.preventDefault();
    items[here].setAttribute("tabindex", "-1");
    items[to].setAttribute("tabindex", "0");
    items[to].focus();
  });
  return parent;
}

function along(key, here, items) {
  const steps = { ArrowDown: here + 1, ArrowRight: here + 1, ArrowUp: here - 1, ArrowLeft: here - 1, Home: 0, End: items.length - 1 };
  return key in steps ? Math.min(items.length - 1, Math.max(0, steps[key])) : null;
}

// Moves to the nearest element that lies the way of the arrow.
export function nearest(key, here, items) {
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!way) return key === "Home" ? 0 : key === "End" ? items.length - 1 : null;
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(items[here]);
  let found = null;
  let least = Infinity;
  items.forEach((one, place) => {
    const [left, top] = middle(one);
    const ahead = (left - x) * way[0] + (top - y) * way[1];
    const aside = Math.abs((left - x) * way[1]) + Math.abs((top - y) * way[0]);
    if (place !== here && ahead > 1 && ahead + 2 * aside < least) [least, found] = [ahead + 2 * aside, place];
  });
  return found;
}
