import type { Fix } from '../../src/requirement/guide.ts';

/** Returns a template tag for the code of a stack. Backslashes in the code stay as they are. */
const stack =
  (name: string, language: string) =>
  (code: TemplateStringsArray): Fix => ({ stack: name, language, code: String.raw(code).trim() });

export const express = stack('Express', 'js');
export const fastapi = stack('FastAPI', 'python');
export const flask = stack('Flask', 'python');
export const django = stack('Django', 'python');
export const go = stack('Go net/http', 'go');
export const spring = stack('Spring Boot', 'java');
export const rails = stack('Rails', 'ruby');
export const aspnet = stack('ASP.NET Core', 'csharp');
