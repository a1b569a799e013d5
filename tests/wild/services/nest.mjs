import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

// The decorators of NestJS need their types as well, which no loader of Node's keeps.
const { outputText } = ts.transpileModule(
  readFileSync(new URL('nest.ts', import.meta.url), 'utf8'),
  {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: false,
    },
  },
);
const folder = new URL('../node_modules/.compiled/', import.meta.url);
mkdirSync(folder, { recursive: true });
const file = new URL(`nest-${process.pid}.mjs`, folder);
writeFileSync(file, outputText);
await import(file.href);
