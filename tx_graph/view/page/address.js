// Every selection has an address in the fragment: #/view/what?options. Back and bookmarks follow from that.

export function parsed(fragment) {
  const [, view = "map", of = "", query = ""] = /^#\/([a-z]*)\/?([^?]*)\??(.*)$/s.exec(fragment) ?? [];
  let what = of;
  try {
    what = decodeURIComponent(of);
  } catch {
    // A hand that wrote a lone percent sign meant one.
  }
  return { view, of: what, options: Object.fromEntries(new URLSearchParams(query)) };
}

export function addressOf(view, of = "", options = {}) {
  const set = Object.entries(options).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(set).toString();
  return `#/${view}/${encodeURIComponent(of).replace(/%(2F|3A|40|2C)/g, decodeURIComponent)}${query ? `?${query}` : ""}`;
}
