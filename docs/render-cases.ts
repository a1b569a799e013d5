/** The types of `src/requirement/case.ts` that the page explains, in this order. */
const TYPES = ['Case', 'CasePhase', 'UserKind', 'OwnParts', 'CaseContext'];

/** A comment, and the beginning of what is declared after it. */
const DECLARED = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (interface|type|function|const) (\w+)/gm;
const MEMBER = /(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}(\w+\??): ([^;]+);/gm;

/**
 * Returns the page on what a case may have. `source` is the text of `src/requirement/case.ts`, as
 * the formatter writes it.
 */
export function renderCases(source: string): string {
  const declared = [...source.matchAll(DECLARED)].map(
    ({ 0: head, 1: comment, 2: kind, 3: name, index }) => {
      const rest = source.slice(index + head.length);
      return {
        name: `${name}`,
        kind,
        comment: plain(comment),
        body: rest.slice(0, rest.search(/^$/m)),
      };
    },
  );
  const types = TYPES.map((wanted) => {
    const type = declared.find(({ name }) => name === wanted);
    if (type === undefined) throw new Error(`src/requirement/case.ts has no type ${wanted}`);
    const { comment, kind, body } = type;
    const isUnion = kind === 'type';
    return `## ${wanted}\n\n${comment}\n\n${isUnion ? renderValues(body) : renderMembers(body)}`;
  });
  const changes = declared.filter(({ kind }) => kind === 'function' || kind === 'const');
  const withComment = changes.map(({ name, comment }) => [`\`${name}\``, comment]);
  return [
    '# Cases',
    '<!-- Made by `npm run docs` from src/requirement/case.ts. -->',
    'All members of a case, and all values for its change. [Add a case](../CONTRIBUTING.md#add-a-case) shows one. The key itself never stands in a case: a mark such as `<API_KEY>` stands for it, and an unknown mark throws. `src/http/key.ts` lists them.',
    ...types,
    '## Functions',
    renderTable(['name', 'what it is'], withComment),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderMembers(body: string): string {
  const members = [...body.matchAll(MEMBER)].map(([, comment, name, type]) => [
    `\`${name}\``,
    `\`${plain(type)}\``,
    plain(comment),
  ]);
  return renderTable(['member', 'type', 'what it is'], members);
}

const renderValues = (body: string): string =>
  [...body.matchAll(/'(.+?)'/g)].map(([, value]) => `- \`${value}\``).join('\n');

/** Returns a text as one line of a table. */
const plain = (text = ''): string =>
  text
    .replace(/\s*\n\s*\*? ?/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

const renderTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
