import { Buffer } from 'node:buffer';
import { isEveryday, KEY } from './key.ts';

/** Takes the key out of a text. With a limit, cuts the text afterwards, so that no part of the key is left at its end. */
export type Redact = (text: string, limit?: number) => string;

export interface Redaction {
  redact: Redact;
  /** Whether a text holds the key, in any of its forms. Never for an everyday key (see isEveryday). */
  finds: (text: string) => boolean;
}

/** Makes the redaction for a key: all forms in which a target may send it back, and runs of a third of it. */
export function redaction(key: string): Redaction {
  const everyday = isEveryday(key);
  const pattern = everyday ? inCredentials(key) : anyForm(key);
  const parts = everyday ? (text: string) => text : partRedaction(key);
  const clean = (text: string) => parts(text.replace(pattern, everyday ? `$1${KEY}` : KEY));
  // As long as the key is in the longest of its forms.
  const margin = 8 * key.length;
  return {
    redact: (text, limit = text.length) => {
      if (text.length <= limit) return clean(text);
      // The end of what is looked at may hold the beginning of a key, which nothing finds: it is dropped with a margin.
      const cleaned = clean(text.slice(0, limit + 2 * margin));
      return cleaned.slice(0, Math.min(limit, Math.max(0, cleaned.length - margin)));
    },
    finds: (text) => !everyday && text.search(pattern) >= 0,
  };
}

/** A word that is the key only where credentials stand: after a scheme, a name for a key, or as the user of Basic. */
function inCredentials(key: string): RegExp {
  const names = 'bearer|token|basic|key|secret|auth|authorization|cookie|password|credentials?';
  return new RegExp(`((?:\\b|_)(?:${names})["'\\s:=]{1,4})${escaped(key)}(?![A-Za-z0-9])`, 'gi');
}

/**
 * The key character by character, each in any of the ways in which programs write it, in any case, and as a whole in
 * base64, wherever it stands in what was encoded, and in hexadecimal. A character may be escaped twice.
 */
function anyForm(key: string): RegExp {
  const characters = [...key].map((character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    const ways = [
      escaped(character),
      `\\\\+${escaped(character)}`,
      `%(?:25)*${hex}`,
      `\\\\+(?:u00|x)${hex}`,
      `&(?:amp;)*#0*${character.charCodeAt(0)};`,
      `&(?:amp;)*#x0*${hex};`,
      ...(ENTITIES[character] ?? []).map((name) => `&(?:amp;)*${name};`),
    ];
    return `(?:${ways.join('|')})`;
  });
  // In UTF-16 that is read as bytes, a NUL stands beside each character.
  const spelt = characters.join('(?:\\0|\\\\+u0000)?');
  // Without its first or last character the key is still most of it, and distinct: it has eight characters or more.
  const cut = [characters.slice(1), characters.slice(0, -1)].map((some) => some.join(''));
  return new RegExp([spelt, ...encodings(key), ...cut].join('|'), 'gi');
}

const ENTITIES: Record<string, string[]> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
  '=': ['equals'],
  '+': ['plus'],
  '/': ['sol'],
  '.': ['period'],
  ':': ['colon'],
  _: ['lowbar'],
};

/** The key in hexadecimal, and in base64 with nothing, one or two bytes before it, as far as those don't change it. */
function encodings(key: string): string[] {
  const ways: Record<string, string> = { '+': '(?:[+-]|%2b)', '/': '(?:[/_]|\\\\/|%2f)' };
  const bases = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]).toString('base64');
    const stable = encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + key.length) * 4) / 3));
    return [...stable].map((character) => ways[character] ?? character).join('');
  });
  return [Buffer.from(key).toString('hex'), ...bases];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Takes out runs of a third of the key, or of six characters where that is more. */
function partRedaction(key: string): (text: string) => string {
  const width = Math.min(key.length, Math.max(6, Math.floor(key.length / 3)));
  const parts = new Set(Array.from({ length: key.length - width + 1 }, (_, at) => key.slice(at, at + width)));
  return (text) => {
    let redacted = '';
    let kept = 0;
    for (let at = 0; at < text.length; at += 1) {
      let end = at;
      for (let next = at; next <= end && parts.has(text.slice(next, next + width)); next += 1) end = next + width;
      if (end === at) continue;
      redacted += text.slice(kept, at) + KEY;
      kept = end;
      at = end - 1;
    }
    return redacted + text.slice(kept);
  };
}
