// What of a run's folder another machine gets: all that a restart reads, as it is; what an agent or a program said is masked.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../../../src/phase/carry/content.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

test('plans are carried as they are, one that is about to be taken too; evidence without secrets; recordings not at all', () => {
  using folder = makeTempFolder();
  const plans = ['plan.md', 'plan.edit.md', 'plan.edit.base.md', 'replan-001.md'];
  const others = ['snapshot', 'index', 'report.md', 'taken.json', 'plan-001.proposed.md'];
  for (const name of ['journal.ndjson', 'evidence-2a.md', ...plans, ...others])
    writeFileSync(path.join(folder.path, name), `postgres of ${name}`);
  const content = readContent(folder.path, (text) => text.replace('postgres', '[DB_PASSWORD]'));
  expect(Object.fromEntries([...content].map(([name, bytes]) => [name, bytes.toString()]))).toEqual({
    'evidence-2a.md': '[DB_PASSWORD] of evidence-2a.md',
    ...Object.fromEntries(['journal.ndjson', ...plans].map((name) => [name, `postgres of ${name}`])),
  });
});
