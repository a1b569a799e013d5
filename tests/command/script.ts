import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../docs/text.ts';
import { freePort } from '../free-port.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, type Ended, filesBelow, inFolder, ROOT, startProgram } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** A command of a script, with the comments before it and the text that it reads. */
interface Step {
  comments: string[];
  line: string;
  input: string[];
}

/** The folder, the variables and the services of a script that runs. */
interface State {
  folder: string;
  env: Record<string, string>;
  /** Whether the last service received a request. */
  isAsked: boolean;
  /** Keys that no output and no file may show. */
  keys: string[];
  /** Values that differ from run to run, and the words for them. */
  names: Map<string, string>;
  closers: (() => Promise<void>)[];
}

const NOTHING: Ended = { code: 0, stdout: '', stderr: '' };

/** The commands of scripts that the shell does not know. */
const BUILTINS: Record<string, (state: State, args: string[]) => Promise<Ended>> = {
  /** Calls the command line. */
  conformance: async ({ env, folder, names }, args) => {
    const ended = await runCommand(args, env, folder);
    const [tag = ''] = /(?<=\(tag |"email":"[a-z]+\.)[a-z]{8}/.exec(ended.stdout) ?? [];
    if (tag !== '')
      names.set(tag, 'TAG').set(`${tag.charAt(0).toUpperCase()}${tag.slice(1)}`, 'Tag');
    return ended;
  },
  /** Starts a service with these faults of `services/broken`. */
  service: async (state, faults) => {
    const { baseUrl, apiKey, close } = await start(...faults.map(brokenBy), (service) => {
      const { handle } = service;
      service.handle = (request) => {
        state.isAsked = true;
        return handle(request);
      };
    });
    state.isAsked = false;
    state.closers.push(close);
    return setTarget(state, baseUrl, apiKey);
  },
  /** Sets the address of a service that does not run. */
  nowhere: async (state) => {
    state.env.PORT = `${await freePort()}`;
    return setTarget(state, `http://127.0.0.1:${state.env.PORT}/v1`, 'a-key-4711');
  },
  /** Prints whether the last service received a request. */
  asked: async ({ isAsked }) => ({ ...NOTHING, stdout: `${isAsked}\n` }),
  export: async ({ env }, assignments) => {
    Object.assign(env, variables(assignments));
    return NOTHING;
  },
  cd: async (state, [path = '']) => {
    state.folder = join(state.folder, path);
    return NOTHING;
  },
  unset: async ({ env }, names) => {
    for (const name of names) delete env[name];
    return NOTHING;
  },
};

function setTarget(state: State, baseUrl: string, apiKey: string): Ended {
  Object.assign(state.env, { BASE_URL: baseUrl, API_KEY: apiKey });
  state.keys.push(apiKey);
  return NOTHING;
}

/** Runs a script in an empty folder. Returns its text with the output of each command. */
export function runScript(text: string): Promise<string> {
  return inFolder(async (folder) => {
    const names = new Map([
      [folder, 'FOLDER'],
      [ROOT, 'SUITE/'],
    ]);
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    const env = { HOME: folder, PATH, SUITE: ROOT, COMMAND };
    const state: State = { folder, env, isAsked: false, keys: [], names, closers: [] };
    const lines: string[] = [];
    try {
      for (const step of stepsIn(text)) {
        if (step.comments.length > 0 && lines.length > 0) lines.push('');
        const input = step.input.map((line) => `> ${line}`);
        lines.push(...step.comments, `$ ${step.line}`, ...input);
        lines.push(...outputOf(await runStep(state, step), state));
      }
      const leaks = filesBelow(folder).filter(
        ({ path, content }) =>
          !path.endsWith('/.env') && state.keys.some((key) => content.includes(key)),
      );
      if (leaks.length > 0) throw new Error(`${leaks[0]?.path} shows the key`);
    } finally {
      await Promise.all(state.closers.map((close) => close()));
    }
    return `${lines.join('\n')}\n`;
  });
}

/** Returns the commands of a script, without the output below them. */
function stepsIn(text: string): Step[] {
  const steps: Step[] = [];
  let comments: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) comments.push(line);
    if (line.startsWith('> ')) steps.at(-1)?.input.push(line.slice(2));
    if (!line.startsWith('$ ')) continue;
    steps.push({ comments, line: line.slice(2), input: [] });
    comments = [];
  }
  return steps;
}

const ASSIGNMENTS = /^([A-Za-z][\w-]*=("[^"]*"|'[^']*'|\S*) +)*/;

/** Runs a command, with the variables that are assigned before it. */
async function runStep(state: State, { line, input }: Step): Promise<Ended> {
  const [assignments = ''] = ASSIGNMENTS.exec(line) ?? [];
  const [name = '', ...args] = words(line.slice(assignments.length));
  const builtin = BUILTINS[name];
  const text = input.map((inputLine) => `${inputLine}\n`).join('');
  if (builtin === undefined) return runInShell(state, line, text);
  const env = { ...state.env, ...variables(words(assignments)) };
  const inEnv = assignments === '' ? state : { ...state, env };
  if (args.at(-2) !== '>') return builtin(inEnv, args);
  const { stdout, ...ended } = await builtin(inEnv, args.slice(0, -2));
  writeFileSync(join(state.folder, args.at(-1) ?? ''), stdout);
  return { ...ended, stdout: '' };
}

/** Returns the variables of assignments such as `NAME=value`. */
const variables = (assignments: string[]) =>
  Object.fromEntries(assignments.map((text) => text.split(/=(.*)/s).slice(0, 2)));

function runInShell({ folder, env }: State, line: string, input: string): Promise<Ended> {
  const { child, ended } = startProgram('sh', ['-c', line], env, folder);
  if (input !== '') child.stdin.write(input);
  child.stdin.end();
  return ended;
}

/** Returns the lines below a command: its output, its errors after `!`, and its exit code. */
function outputOf({ code, stdout, stderr }: Ended, state: State): string[] {
  const marked = (text: string, mark: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => (line === '' ? '' : `${mark} ${line}`));
  const lines = [
    ...(stdout === '' ? [] : marked(withoutChance(stdout, state), ' ')),
    ...(stderr === '' ? [] : marked(withoutChance(stderr, state), '!')),
  ];
  return code === 0 ? lines : [...lines, `[${code}]`];
}

/** Texts that differ from run to run, or with each new requirement. */
const CHANCE: [RegExp, string][] = [
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)/g, 'TIME'],
  [/\b127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:PORT'],
  [/\b\d+\.\d s\b/g, 'N s'],
  [/\b\d+ (requests|users created)\b/g, 'N $1'],
  [/\b\d+ of \d+ (MUST|SHOULD)s/g, 'N of N $1s'],
  [/\bprocess \d+/g, 'process N'],
  // The address may not be tried before the time is over.
  [/nothing listens there; .* the port of BASE_URL|no complete response[^.]*/g, 'no response'],
  [/(\.\.\/)*\.\.SUITE/g, 'SUITE'],
  [/(user-management-conformance |by version |Suite )\d+\.\d+\.\d+/g, '$1VERSION'],
];

function withoutChance(text: string, { names, keys }: State): string {
  const shown = keys.find((key) => text.includes(key));
  if (shown !== undefined) throw new Error(`the output shows the key:\n${text}`);
  let result = text;
  for (const [value, name] of names) result = result.replaceAll(value, name);
  for (const [pattern, name] of CHANCE) result = result.replaceAll(pattern, name);
  return result;
}
