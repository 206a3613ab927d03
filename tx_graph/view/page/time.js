// Knowledge over time, with the commits beside it: when it was written, confirmed and lost, and what rots fastest.

import { count, h, named, roving, s } from "./dom.js";
import { isStale, signOf } from "./words.js";

const LANES = {
  written: { sign: "✎", colour: "file", told: "written" },
  confirmed: { sign: "✓", colour: "fresh", told: "confirmed" },
  relocated: { sign: "→", colour: "relocated", told: "found elsewhere" },
  restored: { sign: "↺", colour: "fresh", told: "holds again" },
  drifted: { sign: "≈", colour: "drifted", told: "drifted" },
  gone: { sign: "✗", colour: "gone", told: "code gone" },
  superseded: { sign: "»", colour: "pinned", told: "superseded" },
  retracted: { sign: "⊘", colour: "none", told: "retracted" },
};
const HOLDS = ["written", "confirmed", "relocated", "restored"];
const DAY = 86400000;
const LANE = 30;

export function drawTime({ page, address, snapshot, head, tools, picture, panel }) {
  const { commits } = snapshot;
  const kind = address.options.kind ?? "";
  const kinds = [...new Set(snapshot.events.map((one) => one.kind))];
  const events = snapshot.events.filter((one) => !kind || one.kind === kind).map((one) => ({ ...one, time: Date.parse(one.at) })).sort((a, b) => a.time - b.time);
  const present = Object.keys(LANES).filter((lane) => events.some((one) => one.what === lane));
  const things = new Set(events.map((one) => one.ref));
  const times = [...events.map((one) => one.time), ...commits.map(([day]) => Date.parse(day))];
  const standing = balance(events, times.length ? unitOf(times) : null);
  const { verdicts } = page.about;
  const learnings = Object.values(verdicts).reduce((a, b) => a + b, 0);
  const stale = Object.keys(verdicts).filter(isStale).reduce((sum, word) => sum + verdicts[word], 0);
  const change = (options) => page.go("time", "", { ...address.options, ...options });

  head.append(h("p", { class: "lead" }, things.size
    ? `${count(things.size, "thing")} written down so far. Of ${count(learnings, "learning")}, ${stale ? `${stale.toLocaleString("en")} no longer ${stale === 1 ? "holds" : "hold"}` : "all hold"} as the code is now.`
    : "Nothing has been written down yet."));
  tools.append(h("div", { class: "legend", role: "group", "aria-label": "Show" }, ["", ...kinds].map((one) => h("button", {
    type: "button", class: "key", "aria-pressed": String(kind === one), "data-key": `kind-${one}`, onclick: () => change({ kind: one, at: "", what: "" }),
  }, one ? [signOf(one), ` ${one}s`] : "all"))));

  const chosen = address.options.at ? events.filter((one) => one.what === address.options.what && stamp(unitOf(times).floor(one.time)) === address.options.at) : null;
  if (times.length) drawPicture();
  else picture.append(h("p", { class: "empty" }, "Nothing to draw yet."));
  panel.append(...listed());

  function drawPicture() {
    const width = Math.max(320, picture.clientWidth);
    const unit = unitOf(times);
    const [first, end] = [unit.floor(Math.min(...times)), unit.offset(unit.floor(Math.max(...times)), 1)];
    const margin = { left: width < 560 ? 92 : 128, right: 28 };
    const room = Math.max(picture.clientHeight - present.length * LANE - 120, 180);
    const [tall, low] = [Math.round(room * 0.6), Math.round(room * 0.4)];
    const x = d3.scaleUtc([first, end], [margin.left, width - margin.right]);
    const lanes = tall + 40;
    const bars = lanes + present.length * LANE + 24;
    const bottom = bars + low;
    const svg = s("svg", { class: "time", width, height: bottom + 30, "aria-label": "Knowledge over time", role: "group" });

    const y = d3.scaleLinear([0, Math.max(1, ...standing.map((one) => one.holds + one.lost))], [tall, 12]).nice();
    for (const tick of y.ticks(4).filter(Number.isInteger)) {
      svg.append(s("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick) }), s("text", { class: "tick", x: margin.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toLocaleString("en")));
    }
    svg.append(s("text", { class: "axis", x: 4, y: 14 }, "known"), s("path", { class: "area holds", d: area((one) => [0, one.holds]) }), s("path", { class: "area lost", d: area((one) => [one.holds, one.holds + one.lost]) }));
    function area(of) {
      const steps = [{ time: standing[0]?.time ?? +first, holds: 0, lost: 0 }, ...standing, { ...(standing.at(-1) ?? { holds: 0, lost: 0 }), time: +end }];
      const upper = steps.map((one, place) => `${place ? `H${x(one.time)}` : `M${x(one.time)},${y(of(one)[1])}`}V${y(of(one)[1])}`).join("");
      const lower = [...steps].reverse().map((one, place) => (place ? `V${y(of(one)[0])}H${x(one.time)}` : `L${x(one.time)},${y(of(one)[0])}`)).join("");
      return `${upper}${lower}Z`;
    }

    present.forEach((lane, row) => {
      const middle = lanes + row * LANE + LANE / 2;
      const { sign, colour, told } = LANES[lane];
      svg.append(s("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: middle, y2: middle }), s("text", { class: "axis", x: 4, y: middle + 4 }, `${sign} ${told}`));
      const bins = binned(events.filter((one) => one.what === lane), unit);
      for (const [start, those] of [...bins].sort((a, b) => a[0] - b[0])) {
        const label = `${count(those.length, "thing")} ${told}, ${stamp(new Date(start))}`;
        const isChosen = address.options.what === lane && address.options.at === stamp(new Date(start));
        const dot = s("g", {
          class: `dot is-${colour}${isChosen ? " chosen" : ""}`, role: "button", tabindex: "-1", "aria-label": label, "data-key": `${lane} ${start}`, "aria-pressed": String(isChosen),
          onclick: () => change({ what: lane, at: stamp(new Date(start)) }),
          onkeydown: (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            change({ what: lane, at: stamp(new Date(start)) });
          },
        }, s("title", {}, label), s("circle", { cx: (x(start) + x(unit.offset(start, 1))) / 2, cy: middle, r: Math.min(LANE / 2 - 1, 5 + 1.6 * Math.sqrt(those.length - 1)) }));
        if (those.length > 1) dot.append(s("text", { x: (x(start) + x(unit.offset(start, 1))) / 2, y: middle + 4, "text-anchor": "middle" }, those.length > 99 ? "" : String(those.length)));
        svg.append(dot);
      }
    });

    const sums = new Map();
    for (const [day, number] of commits) {
      const start = +unit.floor(Date.parse(day));
      sums.set(start, (sums.get(start) ?? 0) + number);
    }
    const z = d3.scaleLinear([0, Math.max(1, ...sums.values())], [bottom, bars + 8]).nice();
    for (const tick of z.ticks(3).filter(Number.isInteger)) {
      svg.append(s("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: z(tick), y2: z(tick) }), s("text", { class: "tick", x: margin.left - 8, y: z(tick) + 4, "text-anchor": "end" }, tick.toLocaleString("en")));
    }
    svg.append(s("text", { class: "axis", x: 4, y: bars + 12 }, "commits"));
    for (const [start, number] of sums) {
      const left = x(start);
      svg.append(s("rect", { class: "bar", x: left + 0.5, y: z(number), width: Math.max(1, x(unit.offset(start, 1)) - left - 1), height: bottom - z(number) }, s("title", {}, `${count(number, "commit")}, ${stamp(new Date(start))}`)));
    }
    const ticks = x.ticks(Math.max(2, Math.floor((width - margin.left) / 90)));
    const format = x.tickFormat();
    for (const tick of ticks) svg.append(s("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 12, y2: bottom }), s("text", { class: "tick", x: x(tick), y: bottom + 18, "text-anchor": "middle" }, format(tick)));
    picture.append(h("div", { class: "scroll" }, svg));
    roving(svg, ".dot");
  }

  function listed() {
    const parts = [];
    if (chosen) parts.push(h("h2", {}, `${LANES[address.options.what].told}, ${address.options.at}`), list(chosen), h("p", {}, page.link("time", "", { kind }, "Back to all")));
    parts.push(h("h2", {}, "What rots fastest"));
    const rows = snapshot.rot.filter((one) => one.lost).sort((a, b) => b.lost / b.written - a.lost / a.written || (a.median_days ?? Infinity) - (b.median_days ?? Infinity) || b.lost - a.lost);
    parts.push(rows.length ? table(rows) : h("p", {}, things.size ? "Nothing was ever found to have changed or gone." : "Nothing is written down that could."));
    if (!chosen) parts.push(h("h2", {}, "Latest"), list([...events].reverse().slice(0, 40)));
    return parts;
  }

  function table(rows) {
    return h("table", {}, h("thead", {}, h("tr", {}, ["of", "written", "lost", "days until then"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.slice(0, 24).map((one) => h("tr", {},
        h("th", { scope: "row" }, one.kind === "directory" ? page.link("map", one.of === "." ? "" : one.of, {}, named(one.of === "." ? "everywhere" : `${one.of}/`, 40)) : [named(one.of, 30), h("small", {}, " category")]),
        h("td", {}, one.written.toLocaleString("en")), h("td", {}, h("span", { class: "score lost", style: { "--share": one.lost / one.written } }, one.lost.toLocaleString("en"))),
        h("td", {}, one.median_days === null ? "–" : Math.round(one.median_days).toLocaleString("en"))))));
  }

  function list(those) {
    return roving(h("ul", { class: "things" }, those.map((one) => {
      const { sign, colour, told } = LANES[one.what] ?? { sign: "?", colour: "none", told: one.what };
      return h("li", {}, h("a", { href: page.link("around", one.kind === "fact" ? one.subject ?? one.places[0] ?? "" : one.ref).getAttribute("href") }, signOf(one.kind),
        h("span", { class: "hit" }, named(one.title, 110), h("small", {}, `${one.at.slice(0, 10)}${one.places.length ? " · " : ""}`, one.places.length ? named(one.places[0], 44) : null)),
        h("span", { class: `badge is-${colour}` }, h("b", { "aria-hidden": "true" }, sign), ` ${told}`)));
    })), "a");
  }
}

// How many held, and how many did not, after the events of each day, week or month.
function balance(events, unit) {
  const state = new Map();
  const steps = [];
  let [holds, lost] = [0, 0];
  for (const { ref, what, time } of events) {
    const now = HOLDS.includes(what) ? "holds" : what === "drifted" || what === "gone" ? "lost" : "out";
    const before = state.get(ref);
    if (before === now) continue;
    state.set(ref, now);
    holds += (now === "holds") - (before === "holds");
    lost += (now === "lost") - (before === "lost");
    const start = +unit.floor(time);
    if (steps.at(-1)?.time === start) steps.pop();
    steps.push({ time: start, holds, lost });
  }
  return steps;
}

function unitOf(times) {
  const days = (Math.max(...times) - Math.min(...times)) / DAY;
  return days < 45 ? d3.utcDay : days < 420 ? d3.utcMonday : d3.utcMonth;
}

function binned(events, unit) {
  const bins = new Map();
  for (const one of events) {
    const start = +unit.floor(one.time);
    if (!bins.has(start)) bins.set(start, []);
    bins.get(start).push(one);
  }
  return bins;
}

function stamp(date) {
  return date.toISOString().slice(0, 10);
}
