import { KINDS } from '../look.ts';

const LEVELS = ['MUST', 'SHOULD'] as const;

/** The identifier of the control that shows one outcome, or one level, alone. */
export const filterId = (value: string): string => `only-${value}`;

/** Selects what is inside the page while all of these values are chosen. */
const chosen = (...values: string[]): string =>
  `body${values.map((value) => `:has(#${filterId(value)}:checked)`).join('')}`;

/** A chapter is hidden if no requirement in it has all values that are chosen. */
const emptyChapter = (...values: string[]): string =>
  `${chosen(...values)} .chapter:not(:has(${values.map((value) => `.${value}`).join('')}, :target))`;

const VALUES = [...KINDS, ...LEVELS];

/** Requirements and chapters that a choice hides. What the address names is always shown. */
const HIDDEN = [
  ...VALUES.map((value) => `${chosen(value)} .chapter > ul > li:not(.${value}, :target)`),
  ...VALUES.map((value) => emptyChapter(value)),
  ...KINDS.flatMap((kind) => LEVELS.map((level) => emptyChapter(kind, level))),
];

const ANY = 'body:has(.filters [id]:checked)';

/**
 * The style of the filters, which need no script. Where a browser lacks `:has()`, and in print,
 * there are no filters, and everything is shown. While a choice is made, the chapters that have such
 * requirements are open.
 */
export const FILTER_STYLE = `
@media screen {
  @supports selector(:has(a)) {
    .filters[hidden] {
      display: block;
    }

    ${HIDDEN.join(',\n    ')} {
      display: none;
    }
  }

  @supports selector(:has(a)) and selector(::details-content) {
    ${ANY} .chapter > summary {
      list-style: none;
      pointer-events: none;
    }

    ${ANY} .chapter::details-content {
      content-visibility: visible;
      block-size: auto;
    }
  }
}
`;
