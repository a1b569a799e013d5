import { fileURLToPath } from 'node:url';
import { refresh } from '../../bin/build.mjs';

// Calls the command line for one test after the other: see kept-command.ts.

await refresh();
process.argv[1] = fileURLToPath(
  new URL('../../bin/user-management-conformance.mjs', import.meta.url),
);
const { main } = await import('../../dist/src/cli/command.js');

let turn = Promise.resolve();
process.on('message', (command) => {
  turn = turn.then(() => carryOut(command));
});
process.on('disconnect', () => process.exit());

async function carryOut({ id, args, env, cwd }) {
  process.env = env;
  process.chdir(cwd);
  const ended = { id, code: 4, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      ended[name] += text;
      return true;
    };
  }
  try {
    ended.code = await main(args, true);
  } catch (error) {
    ended.stderr += error.stack;
  }
  // What a process leaves to its end, such as the report directory that it has claimed.
  process.emit('exit', ended.code);
  process.chdir('/');
  process.send(ended);
}
