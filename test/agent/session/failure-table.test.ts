// Every way in which Claude Code 2.1.330 fails or ends, as measured, and the test that says what pawl makes of it. The rows
// with a file of stories are played by the real CLI.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const [claude, full, recorded] = [
  'story/failures-claude.test.ts',
  'story/context-full.test.ts',
  'agent/session/judge-outcome.test.ts',
];

/** What happens → the test's file, and words of its name or row. */
const table: Readonly<Record<string, readonly [file: string, words: string]>> = {
  '400': [claude, "'400':"],
  '400, no money': [claude, "'400 for want of money'"],
  '400, the prompt is too long': [claude, "'400 as the prompt is too long'"],
  '401 of an API key': [claude, "'401 of a key, with all the retries pawl grants'"],
  '401 of a subscription': [claude, "'401 of a subscription'"],
  '403': [claude, "'403':"],
  '404, the model': [claude, "'404':"],
  '413': [claude, "'413':"],
  '429 of an API key': [claude, "'429 of a key'"],
  '429, usage limit of a subscription': [claude, "'429 of a subscription’s limit'"],
  '500': [claude, "'500':"],
  '529': [claude, "'529':"],
  'overloaded_error in a stream': [claude, "'an overload inside the stream'"],
  'connection refused': [claude, "'no server there'"],
  'a stream cut in text': [claude, "'a stream that is cut'"],
  'a stream cut after a finished block': [claude, "'a stream that is cut after a finished block'"],
  'no answer at all': [claude, "'no answer at all'"],
  'silence inside the stream': [claude, "'a reply that goes silent'"],
  max_tokens: [claude, "'replies that never fit'"],
  refusal: [claude, "'a refusal of the model'"],
  'context full, summed up': [full, 'the CLI sums up and works on'],
  'context full for good': [full, 'a session whose context stays full is ended as unfinished'],
  autocompact_thrashing: [recorded, 'Autocompact is thrashing'],
  'a normal end': [recorded, "['one-task', 0,"],
  '--max-turns': [recorded, "['max-turns', 1,"],
  '--max-budget-usd': ['story/budget.test.ts', 'the real CLI ends at the cap it was handed'],
  'an answer that never fits its schema': [recorded, "['json-schema-always-bad', 1,"],
  'an answer by schema that never comes': [recorded, "['json-schema-ignored', 0,"],
  '--resume of an unknown id': ['story/continue.test.ts', 'a conversation that the agent has lost'],
  'an interrupt over the control channel': [recorded, "['input-interrupt-bash', 1,"],
  SIGINT: [recorded, "['sig-SIGINT', 0,"],
  'SIGINT before the first line': [recorded, 'exit 0 (never success)'],
  'SIGTERM, SIGHUP': [recorded, "['exit 143',"],
  'SIGQUIT, SIGKILL, with orphans': ['story/kill-others.test.ts', 'of the watchdog and the agent'],
  'a hook that says stop': [recorded, "['hook-continue-false', 0,"],
  'an error at the start': [recorded, "'startup-failure'"],
  'background work that is still open': [recorded, 'are unfinished while work in the background is open'],
};

test.each(Object.entries(table))('%s has its test', (_, [file, words]) => {
  expect(readFileSync(path.join(import.meta.dirname, '..', '..', file), 'utf8')).toContain(words);
});
