import { KINDS } from '../appearance.ts';

const LEVELS = ['MUST', 'SHOULD'] as const;

/** Returns the identifier of the control that shows only one outcome or one level. */
export const filterId = (value: string): string => `only-${value}`;

/** Returns the selector of a page on which all these values are selected. */
const selected = (...values: string[]): string =>
  `body${values.map((value) => `:has(#${filterId(value)}:checked)`).join('')}`;

/** Returns the selector of chapters in which no requirement has all the selected values. */
const emptyChapter = (...values: string[]): string =>
  `${selected(...values)} .chapter:not(:has(${values.map((value) => `.${value}`).join('')}, :target))`;

const VALUES = [...KINDS, ...LEVELS];

/** Requirements and chapters to hide. The target of the page's fragment is always shown. */
const HIDDEN = [
  ...VALUES.map((value) => `${selected(value)} .chapter > ul > li:not(.${value}, :target)`),
  ...VALUES.map((value) => emptyChapter(value)),
  ...KINDS.flatMap((kind) => LEVELS.map((level) => emptyChapter(kind, level))),
];

const FILTERED = 'body:has(.filters [id]:checked)';

/**
 * The style of the filters, which need no script. Print, and a browser without `:has()`, has no
 * filters and shows everything. A filter opens the chapters in which it shows a requirement.
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
    ${FILTERED} .chapter > summary {
      list-style: none;
      pointer-events: none;
    }

    ${FILTERED} .chapter::details-content {
      content-visibility: visible;
      block-size: auto;
    }
  }
}
`;
