// Dates of documents, as their metadata give them: 1611, 44 BC, 2024-03 or 2024-03-18, with or without a
// time. The same rules as in Python (`passages/families/dates.py`).

const DATE = /^ *(?:([0-9]{1,4}) ?(?:(B\.?C)\.?E?|A\.?D|C\.?E)\.?|([+-]?[0-9]{3,4})(?:-(0?[1-9]|1[0-2])(?:-(0?[1-9]|[12][0-9]|3[01])(?:T[0-9:.Z+-]*)?)?|s)?)(?![0-9./]|\p{L})/u;

// Year, month and day, as far as they are given; nothing for what is no such date.
export function dateParts(text) {
  const found = DATE.exec(text ?? "");
  if (found === null) return [];
  if (found[1] !== undefined) return [found[2] ? 1 - Number(found[1]) : Number(found[1])];
  return found.slice(3).filter(Boolean).map(Number);
}

// The day, in milliseconds; null for what is no such date. The first day stands for a month or year.
export function dayOf(text) {
  const [year, month = 1, day = 1] = dateParts(text);
  if (year === undefined) return null;
  const made = new Date(0);
  made.setUTCFullYear(year, month - 1, day);
  return made.getTime();
}

// -1 or 1, if one date is the earlier or the later whatever day is meant; 0 if that is not known: 2024 and
// 2024-03 may be either way.
export function compareDates(one, other) {
  const [first, second] = [dateParts(one), dateParts(other)];
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) if (first[at] !== second[at]) return first[at] < second[at] ? -1 : 1;
  return 0;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = 86_400_000;

// Round dates between two days, at most `wanted` of them: {day, words}.
export function dateTicks(from, to, wanted) {
  const years = (to - from) / (365.25 * DAY);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => years / size <= wanted) ?? 1000;
  if (years >= wanted / 2) return ticksBy(from, to, 12 * step);
  const months = [1, 2, 3, 6, 12].find((size) => (12 * years) / size <= wanted) ?? 12;
  if (12 * years >= wanted / 3) return ticksBy(from, to, months);
  const days = [1, 2, 7, 14].find((size) => (to - from) / DAY / size <= wanted) ?? 14;
  const ticks = [];
  for (let day = Math.ceil(from / DAY / days) * days * DAY; day <= to; day += days * DAY) ticks.push({ day, words: wordsOfDay(new Date(day)) });
  return ticks;
}

function ticksBy(from, to, months) {
  const ticks = [];
  const first = new Date(from);
  let at = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months;
  for (; ; at += months) {
    const moment = new Date(0);
    moment.setUTCFullYear(Math.floor(at / 12), at % 12, 1);
    if (moment.getTime() > to) return ticks;
    if (moment.getTime() >= from) ticks.push({ day: moment.getTime(), words: at % 12 === 0 && months % 12 === 0 ? String(at / 12) : `${MONTHS[at % 12]} ${Math.floor(at / 12)}` });
  }
}

function wordsOfDay(date) {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

// A moment such as 2026-11-16T12:00:00Z, to the minute.
export function utcTime(moment) {
  return `${moment.slice(0, 16).replace("T", " ")} UTC`;
}
