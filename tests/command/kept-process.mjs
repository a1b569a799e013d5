import { fileURLToPath } from 'node:url';
import { refresh } from '../../bin/build.mjs';

// The process that kept-command.ts starts: it calls the command line for one test after the other.

await refresh();
process.argv[1] = fileURLToPath(
  new URL('../../bin/user-management-conformance.mjs', import.meta.url),
);
const { main } = await import('../../dist/command.mjs');

let previous = Promise.resolve();
process.on('message', (call) => {
  previous = previous.then(() => runCall(call));
});
process.on('disconnect', () => process.exit());

async function runCall({ id, args, env, cwd }) {
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
  // A run releases its report directory on exit, which this process does not do between calls.
  process.emit('exit', ended.code);
  process.chdir('/');
  process.send(ended);
}
