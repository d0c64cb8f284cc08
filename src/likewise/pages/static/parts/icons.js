// The icons of the page, as SVG elements.

import { svg } from "./dom.js";

const PATHS = {
  sun: "M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m0-11.4L4.9 4.9m14.2 14.2-1.4-1.4M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  mask: "M3 12s3.5-6.5 9-6.5 9 6.5 9 6.5-3.5 6.5-9 6.5S3 12 3 12Zm9-2.8a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z",
  masked: "M4 4l16 16M9.9 5.8A9.6 9.6 0 0 1 12 5.5c5.5 0 9 6.5 9 6.5a16 16 0 0 1-2.7 3.5M6.2 7.6A15.6 15.6 0 0 0 3 12s3.5 6.5 9 6.5a9 9 0 0 0 4.1-1",
  print: "M7 8V3h10v5M7 17H4V9h16v8h-3M7 14h10v7H7Z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5",
  upload: "M12 16V4m0 0L7 9m5-5 5 5M4 16v4h16v-4",
  download: "M12 4v12m0 0 5-5m-5 5-5-5M4 20h16",
  close: "M6 6l12 12M18 6 6 18",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  flag: "M6 21V4m0 0h11l-2 4 2 4H6",
  star: "M12 3.5l2.6 5.3 5.9.9-4.2 4.1 1 5.8-5.3-2.8-5.3 2.8 1-5.8-4.2-4.1 5.9-.9Z",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  ring: "M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z",
  key: "M14.5 9.5a4.5 4.5 0 1 0-3.2 4.3L13 15.5h2v2h2v2h3v-3l-5.7-5.7c.1-.4.2-.9.2-1.3ZM8.5 8.5h.01",
};

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

// Two sheets, one behind the other, with a line that both share.
export function brandMark() {
  return svg(
    "svg",
    { class: "brand-mark", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("rect", { class: "mark-back", x: 3, y: 3, width: 18, height: 22, rx: 4 }),
    svg("rect", { class: "mark-front", x: 11, y: 7, width: 18, height: 22, rx: 4 }),
    svg("path", { class: "mark-line", d: "M15.5 14h9M15.5 18.5h9M15.5 23h5" }),
  );
}
