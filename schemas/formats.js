// The compiled validators, which the build copies unchanged, import this file: so it is JavaScript.

/** The formats in the suite's own files. */
export const formats = {
  date: isDate,
  'date-time': isInstant,
  uri: (text) => URL.canParse(text),
};

/** Counts the characters of a text as JSON Schema does: by code points. */
export function lengthOf(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether a text is a day that exists: `new Date('2026-02-30')` alone is the second of March. */
function isDate(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

/** Whether a text is a time in UTC on a day that exists. */
function isInstant(text) {
  const [day = ''] = text.split('T');
  return /T\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && isDate(day) && !Number.isNaN(Date.parse(text));
}
