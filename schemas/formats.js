// JavaScript, because compiled validation imports it: the build copies both as they are.

/** The formats of the suite's own files. */
export const formats = {
  date: isDate,
  'date-time': isInstant,
  uri: (text) => URL.canParse(text),
};

/** Counts the characters of a text as JSON Schema does: by code points. */
export const lengthOf = (text) => [...text].length;

/** A day that exists: JavaScript's Date makes the second of March of 2026-02-30. */
function isDate(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

/** A time of such a day, in UTC. */
function isInstant(text) {
  const [day = ''] = text.split('T');
  return /T\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && isDate(day) && !Number.isNaN(Date.parse(text));
}
