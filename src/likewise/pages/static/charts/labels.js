// Names in a picture: a name is drawn where there is room for it, and else not at all.

let ruler = null;

// In pixels, in the font of the pictures' names.
export function textWidth(text) {
  if (ruler === null) {
    ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  }
  return ruler.measureText(text).width;
}

export const LABEL_HEIGHT = 14;
const BUCKET = 80;

// The taken places of a picture; those that come first keep their places.
export class LabelRoom {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.buckets = new Map();
  }

  // Takes the box if it is free and within the picture; says whether.
  fits(left, top, right, bottom) {
    if (left < 0 || top < 0 || right > this.width || bottom > this.height) return false;
    const keys = this.keysOf(left, top, right, bottom);
    for (const key of keys) {
      for (const box of this.buckets.get(key) ?? []) if (left < box[2] && right > box[0] && top < box[3] && bottom > box[1]) return false;
    }
    this.take(left, top, right, bottom);
    return true;
  }

  take(...box) {
    for (const key of this.keysOf(...box)) {
      if (!this.buckets.has(key)) this.buckets.set(key, []);
      this.buckets.get(key).push(box);
    }
  }

  keysOf(left, top, right, bottom) {
    const keys = [];
    for (let column = Math.floor(left / BUCKET); column <= Math.floor(right / BUCKET); column += 1) {
      for (let row = Math.floor(top / BUCKET); row <= Math.floor(bottom / BUCKET); row += 1) keys.push(`${column} ${row}`);
    }
    return keys;
  }
}

// Whether something of this size around a place is seen.
export function isInView(view, x, y, size) {
  return x > -size && y > -size && x < view.width + size && y < view.height + size;
}
