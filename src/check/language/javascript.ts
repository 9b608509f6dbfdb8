// JavaScript and TypeScript: Jest, Vitest, Mocha, node:test, Playwright, and the linters of that world.
import type { Language } from './shape.ts';

/** The table of JavaScript and TypeScript. */
export const javascript: Language = {
  source: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i,
  test: /(?:[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?|(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress)\/.*\.[cm]?[jt]sx?)$/i,
  declaration:
    /^\s*(?:await\s+|void\s+)?(?:it|test|specify|Deno\.test|t\.test)(?:\.(?:concurrent|serial|each|for|fails|only|skip|todo|sequential)\b(?:\([^)]*\)|`[^`]*`)?)*\s*[(<`](?:\s*(['"`])((?:\\.|(?!\1).)*)\1)?/,
  skips: [
    {
      pattern: /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify)\.(?:skip|skipIf|runIf|todo|fixme)\b/,
      word: 'skip',
    },
    { pattern: /(?:^|[^\w.$])(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.]/, word: 'x-prefix' },
    { pattern: /(?:^|[^\w$])(?:t|ctx|context|testInfo|this)\.(?:skip|todo)\s*\(/, word: 'skip at run time' },
    { pattern: /[{,]\s*(?:skip|todo)\s*:\s*(?:true|['"`])/, word: 'skip option' },
  ],
  onlys: [
    { pattern: /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify)\.only\b/, word: 'only' },
    { pattern: /(?:^|[^\w.$])(?:fit|fdescribe|ftest|fcontext)\s*\(/, word: 'f-prefix' },
    { pattern: /[{,]\s*only\s*:\s*true/, word: 'only option' },
  ],
  suppressions: [
    { pattern: /(?:\/\/|\/\*)\s*eslint-disable/, word: 'eslint-disable' },
    {
      pattern: /(?:\/\/|\/\*)\s*(?:oxlint|tslint|stylelint|jshint|deno-lint)[-:](?:disable|ignore)/,
      word: 'linter disabled',
    },
    { pattern: /(?:\/\/|\/\*)\s*biome-ignore/, word: 'biome-ignore' },
    { pattern: /(?:\/\/|\/\*)\s*@ts-(?:ignore|expect-error|nocheck)\b/, word: '@ts-ignore' },
    { pattern: /\/[/*]\s*(?:istanbul|c8|v8)\s+ignore\b/, word: 'coverage ignore' },
    { pattern: /(?:\bas\s+unknown\s+as\b|\bas\s+any\b)/, word: 'cast around the type checker' },
  ],
};
