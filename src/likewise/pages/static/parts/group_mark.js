// The mark of a group: a colour and a shape, and its name for those who see neither.

import { hueOf } from "./badge.js";
import { h, svg } from "./dom.js";
import { groupsOf } from "../data/groups.js";

// Around 0, 0, within 5 of it; all of about the same area.
const SHAPES = [
  "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0Z",
  "M-4.2 -4.2H4.2V4.2H-4.2Z",
  "M0 -5.4L5.4 4.2H-5.4Z",
  "M0 -5.8L5.8 0L0 5.8L-5.8 0Z",
  "M-1.9 -5.2H1.9V-1.9H5.2V1.9H1.9V5.2H-1.9V1.9H-5.2V-1.9H-1.9Z",
  "M0 5.4L-5.4 -4.2H5.4Z",
];
const RING = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z";

export function groupShape(number) {
  return number ? svg("path", { class: `shape hue-${hueOf(number)}`, d: SHAPES[(number - 1) % SHAPES.length] }) : svg("path", { class: "shape ring", d: RING });
}

function shapeIcon(number) {
  return svg("svg", { class: "group-icon", viewBox: "-6 -6 12 12", "aria-hidden": "true" }, groupShape(number));
}

// Names and groups are hidden together.
export function hasGroups(page, rows) {
  return !page.names.anonymous && groupsOf(rows).names.length > 1;
}

// Before the name of a document in a list; nothing where there are no groups.
export function groupMark(page, rows, document) {
  if (!hasGroups(page, rows) || !document.group) return null;
  return h("span", { class: "group-mark", title: `Group: ${document.group}` }, shapeIcon(groupsOf(rows).numberOf(document)), h("span", { class: "unseen" }, `group ${document.group}: `));
}

export function groupLegend(page, rows) {
  if (!hasGroups(page, rows)) return null;
  const groups = groupsOf(rows);
  return h("ul", { class: "picture-legend", "aria-label": "Groups", "data-list": "groups" },
    groups.names.map((name, at) => h("li", {}, shapeIcon(at + 1), h("bdi", {}, name))),
    groups.hasOthers || rows.documents.some(({ group }) => !group) ? h("li", {}, shapeIcon(0), groups.hasOthers ? "other groups, or none" : "no group") : null);
}
