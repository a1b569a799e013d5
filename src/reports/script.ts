import { PLACEHOLDERS, type Reproduction, type Script, type ScriptStep } from '../conduct/reproduction.ts';
import { HEADER_VALUE, toShell } from '../http/key.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { inertLine } from './text.ts';

/** A script for each failure that one can show, by the name of its file. */
export function scripts(report: Report, reproductions: Record<string, Reproduction>): Record<string, () => string> {
  const found = report.requirements.flatMap((one) => {
    const script = reproductions[one.id]?.script;
    const name = one.reproduction?.script;
    return script && name ? [[name, () => scriptText(script, one, report.target.baseUrl)] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * A failure as a script for a POSIX shell with curl: it ends with 1 when the fault shows, with 0 when it does not, and with 2
 * when it can't be tried. It takes the key from API_KEY and the address from BASE_URL, or else that of the run.
 */
export function scriptText(script: Script, { id, sentence }: ReportedRequirement, baseUrl: string): string {
  const { steps, fault, expected, got } = script;
  const lines = [
    '#!/bin/sh',
    `# ${id}: ${line(sentence)}`,
    `# expected: ${line(expected)}`,
    `# got: ${line(got)}`,
    '# Ends with 1 when the fault shows, 0 when it does not, 2 when it could not be tried.',
    `: "\${API_KEY:?set it to the key}"`,
    `base=\${BASE_URL:-${quote(baseUrl.replace(/\/+$/, ''))}}`,
    'base=${base%/}',
    PREAMBLE,
    ...steps.flatMap((step, index) => [
      '',
      ...stepLines(step, index + 1, index === steps.length - 1 ? fault : undefined),
    ]),
    '',
    ...faultLines(fault),
    'echo "The fault does not show."',
    'exit 0',
    '',
  ];
  return (steps.some(hasAddedHeaders) ? withAddedHeaders(lines) : lines).join('\n');
}

/** Whether a step's request carried headers of the settings. */
function hasAddedHeaders(step: ScriptStep): boolean {
  return 'request' in step && Object.values(step.request.headers).some((value) => value.includes(HEADER_VALUE));
}

/** Lines of which every request carries the headers of the settings as well. */
function withAddedHeaders(lines: string[]): string[] {
  const needed = `: "\${CONFORMANCE_HEADERS:?set it to the headers of the run}"`;
  return lines.flatMap((one) => {
    if (one.startsWith('base=${BASE_URL')) return [needed, one];
    return one.endsWith(' > "$dir/headers"') ? [one, `printf '%s\\n' "$CONFORMANCE_HEADERS" >> "$dir/headers"`] : [one];
  });
}

const PREAMBLE = `
dir=$(mktemp -d) || exit 2
umask 077
trap 'rm -rf "$dir"' EXIT
# Letters that no run had before: users are told apart by them.
tag=$(printf '%08d' $(( ($(date +%s) + $$ * 7919) % 100000000 )) | tr 0123456789 abcdefghij)
TAG=$(printf %s "$tag" | tr a-z A-Z)
Tag=$(printf %s "$TAG" | cut -c1)$(printf %s "$tag" | cut -c2-)
has() { grep -q -F -e "$1" "$dir/body"; }
# The value of a member of a JSON text, the first of that name.
member() { tr ',{' '\\n\\n' | sed -n 's/^[[:space:]]*"'"$1"'"[[:space:]]*:[[:space:]]*"\\{0,1\\}\\([^"}]*\\).*/\\1/p' | head -n 1; }
total() { member total < "$dir/body"; }
fault() { echo "The fault shows: $1"; exit 1; }
give_up() { echo "It could not be tried: $1" >&2; exit 2; }`;

const line = (text: string) => inertLine(text).slice(0, 300);
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Every byte of the key percent-encoded, which is the same in a query, and needs no program but od and tr. */
const encoded = (shell: string) => `"$(printf %s "${shell}" | od -An -v -tx1 | tr -d '\\n' | tr ' ' '%')"`;

/** A text for the shell, with what differs each time in its place. */
function shell(text: string, encode?: (shell: string) => string): string {
  const quoted = encode ? toShell(text, quote, encode) : toShell(text, quote);
  const { base, ...others } = PLACEHOLDERS;
  const filled = Object.entries({ base, ...others }).reduce(
    (all, [name, mark]) => all.replaceAll(mark, `'"$${name}"'`),
    quoted === '' ? "''" : quoted,
  );
  return filled.replace(/^''(?=")/, '');
}

function stepLines(step: ScriptStep, number: number, fault: Script['fault'] | undefined): string[] {
  if (step.do === 'wait') return [`# ${number}. Nothing for ${step.seconds} seconds.`, `sleep ${step.seconds}`];
  if (step.do === 'fill') return fillLines(step.users, number);
  const { method, path } = step.request;
  const what = `${method} ${path.replace(PLACEHOLDERS.base, '').replace(PLACEHOLDERS.id, ':id')}`;
  const said = `echo ${quote(`${number}. ${line(what)}: the run saw ${line(step.seen)}, now `)}"$status"`;
  const lines = [`# ${number}. ${line(what)}`, ...curlLines(step.request), said];
  if (step.do === 'create') return [...lines, ...idLines(step.place)];
  return fault === undefined && number === 1 ? [...lines, 'before=$(total)'] : lines;
}

/** One request by curl: the key is in no argument, where a process list would show it. */
function curlLines({ method, path, headers, body }: Extract<ScriptStep, { do: 'send' }>['request']): string[] {
  const fields = Object.entries(headers)
    .filter(([, value]) => value !== HEADER_VALUE)
    .map(([name, value]) => [name, value.replace(`; ${HEADER_VALUE}`, '')] as const)
    .map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  return [
    `printf '%s\\n' ${fields.map((field) => shell(field)).join(' ')} > "$dir/headers"`,
    `printf 'url = "%s"\\n' ${shell(path, encoded)} | sed 's/\\\\/\\\\\\\\/g' > "$dir/url"`,
    ...(body === undefined ? [] : [`printf %s ${shell(body)} > "$dir/sent"`]),
    `status=$(curl -sS -o "$dir/body" -D "$dir/head" -w '%{http_code}' --globoff --path-as-is${method === 'GET' ? '' : ` -X ${method}`} \\`,
    `  -H @"$dir/headers"${body === undefined ? '' : ' --data-binary @"$dir/sent"'} --config "$dir/url") || status=000`,
  ];
}

function fillLines(users: number, number: number): string[] {
  const fields = ['Accept: application/json', 'Content-Type: application/json'];
  return [
    `# ${number}. ${users} further users, one after the other.`,
    'made=0',
    `while [ "$made" -lt ${users} ]; do`,
    '  made=$((made + 1))',
    `  printf '%s\\n' ${fields.map(quote).join(' ')} "Authorization: Bearer $API_KEY" > "$dir/headers"`,
    `  word=$(printf %s "$made" | tr 0123456789 abcdefghij)`,
    `  printf '{"email":"%s","name":"%s"}' "conformance.$tag.n$made@example.com" "$Tag N$word" > "$dir/sent"`,
    `  status=$(curl -sS -o "$dir/body" -w '%{http_code}' -H @"$dir/headers" --data-binary @"$dir/sent" "$base/users") || status=000`,
    '  case $status in 2??) ;; *) give_up "user $made was answered $status" ;; esac',
    'done',
  ];
}

/** Finds the identifier of the created user where the run found it. */
function idLines(place: string): string[] {
  const refused = 'case $status in 2??) ;; *) give_up "the user was not created: $status" ;; esac';
  const none = '[ -n "$id" ] || give_up "the answer shows no identifier where the run found it"';
  const [, source = '', path = ''] = /^([^:]*)(?:: (.*?))?(?: \(its end\))?$/.exec(place) ?? [];
  const isLink = place.endsWith('(its end)');
  const name = path.split('.').at(-1) ?? '';
  const found =
    source === 'Location'
      ? `id=$(sed -n 's/^[Ll][Oo][Cc][Aa][Tt][Ii][Oo][Nn]:[[:space:]]*//p' "$dir/head" | tr -d '\\r' | sed 's#/*$##; s#.*/##')`
      : path === 'the whole body'
        ? `id=$(tr -d '"\\n' < "$dir/body")`
        : `id=$(member ${quote(name)} < "$dir/body"${isLink ? " | sed 's#/*$##; s#.*/##'" : ''})`;
  const listed = source === 'list item' ? LISTED : [];
  return [refused, ...listed, found, none];
}

/** The item of the user in the list, in the place of the answer. */
const LISTED = [
  `curl -sS -H "Accept: application/json" -H @"$dir/headers" "$base/users" | tr '{' '\\n' | grep -F "$tag" | head -n 1 > "$dir/body"`,
];

function faultLines(fault: Script['fault']): string[] {
  if (fault.kind === 'status') return [`[ "$status" != ${fault.status} ] || fault "status $status"`];
  if (fault.kind === 'success') return ['case $status in 2??) fault "status $status" ;; esac'];
  if (fault.kind === 'total') {
    return [
      'after=$(total)',
      `[ "$after" = "$((before + \${made:-0}))" ] || fault "a total of $after after $before and \${made:-0} creations"`,
    ];
  }
  return [
    'case $status in 2??) ;; *) fault "status $status" ;; esac',
    ...[fault.email, fault.name].map(
      (value) =>
        `{ ${forms(value)
          .map((one) => `has ${shell(one)}`)
          .join(' || ')}; } || fault "another email or name"`,
    ),
  ];
}

/** How a string may stand in a JSON text: its characters as they are, or those beyond ASCII as escapes. */
function forms(value: string): string[] {
  const text = JSON.stringify(value).slice(1, -1).replaceAll('\\u0002', '\u0002');
  const escaped = (write: (digits: string) => string) =>
    text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${write(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  return [...new Set([text, escaped((digits) => digits), escaped((digits) => digits.toUpperCase())])];
}
