// Elements are made here and nowhere else. Text of documents is inserted as text, never as markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

export function h(name, props, ...children) {
  return filled(document.createElement(name), props, children);
}

export function svg(name, props, ...children) {
  return filled(document.createElementNS(SVG_SPACE, name), props, children);
}

function filled(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (key === "value" || key === "checked" || key === "selected") {
      element[key] = value;
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

export function refill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

// A ring of text and its own direction: names may contain letters that change the direction of the line.
export function isolated(text, className) {
  return h("bdi", { class: className, dir: "auto" }, text);
}

let idsGiven = 0;

export function freshId(stem) {
  idsGiven += 1;
  return `${stem}-${idsGiven}`;
}

export function isTyping(event) {
  const target = event.target;
  return (
    event.ctrlKey || event.metaKey || event.altKey ||
    (target instanceof Element && target.closest("input:not([type=checkbox], [type=radio]), select, textarea, dialog, [role=slider]") !== null)
  );
}
