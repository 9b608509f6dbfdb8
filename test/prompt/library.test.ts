import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTemplate } from '../../src/prompt/library.ts';
import { fillTemplate } from '../../src/prompt/template.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
let own: string;

beforeEach(async () => {
  own = await mkdtemp(path.join(tmpdir(), 'pawl-library-'));
  await mkdir(path.join(own, 'prompts'));
  await mkdir(path.join(own, 'reviewers'));
});
afterEach(() => rm(own, { recursive: true }));

const put = (file: string, text: string) => writeFile(path.join(own, file), text);
const fill = (name: string) => fillTemplate(readTemplate([own, shipped], name), { GOAL: 'a goal' });

test('an agent of ralphex’s templates is a reviewer that a sub-agent is given', async () => {
  await put(
    'prompts/x.md',
    'For {{GOAL}}:\n\n{{agent:careful}}\n\n{{ agent:testing }}\n<!-- {{agent:none}} -->\n',
  );
  await put('reviewers/careful.md', '---\nmodel: opus\n---\nLook at `{{GOAL}}` twice.\n');
  const text = fill('x');
  expect(text).toMatch(/^For a goal:\n\nLaunch a sub-agent .*\n\n```\nLook at `\{\{GOAL\}\}` twice\.\n```\n/);
  expect(text).toContain('tests');
  expect(text).not.toContain('opus');
});

test('an agent that is no reviewer is named with its line and those there are', async () => {
  await put('prompts/x.md', '<!-- a\nb -->\nDo it.\n{{agent:nobody}}\n');
  expect(() => readTemplate([own, shipped], 'x')).toThrow(
    expect.objectContaining({
      message: `${path.join(own, 'prompts/x.md')}:4: there is no reviewer nobody for {{agent:nobody}}`,
      hint: expect.stringContaining('quality'),
    }),
  );
});
