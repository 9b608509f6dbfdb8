// The built-in demo, played for real: its checks turn from red to green by what its script does.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { demoFiles, demoPlan } from '../../src/demo/demo-script.ts';
import { builtFile } from '../helpers/built-pawl.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

const agentFile = builtFile('demo-agent');
const plan = demoFiles[demoPlan] ?? '';
const sections = plan.split(/^### /m).slice(1);
const checkOf = (section: string) => /check: `(.*)`/.exec(section)?.[1] ?? '';

function isGreen(command: string, cwd: string): boolean {
  try {
    // A test runner inside a test runner would report to the outer one.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    execFileSync('bash', ['-c', command], { cwd, env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function play(message: string, cwd: string): string {
  const env = { ...process.env, SCRIPTED_AGENT_SCRIPT: undefined };
  return execFileSync(process.execPath, [agentFile, '-p'], { cwd, env, input: message, encoding: 'utf8' });
}

test('the demo: each check is red before its task and green after, the second at the second try', async () => {
  await using repo = await makeRepo({ files: demoFiles });
  expect(isGreen('node --test test/lines.test.js', repo.path)).toBe(true);
  expect(sections).toHaveLength(3);
  for (const [at, section] of sections.entries()) {
    const check = checkOf(section);
    expect(isGreen(check, repo.path)).toBe(false);
    const said = play(`${section}\n<<<PAWL:TASK_DONE 1a2b>>>`, repo.path);
    expect(said).toMatch(/^<<<PAWL:TASK_DONE 1a2b>>> .+$/m);
    if (at === 1) {
      expect(isGreen(check, repo.path)).toBe(false);
      play(`${check} exited 1`, repo.path);
    }
    expect(isGreen(check, repo.path)).toBe(true);
  }
  const changed = await repo.git('status', '--porcelain', '--untracked-files=all');
  expect(changed.split('\n')).toEqual(['?? src/cli.js', '?? src/slug.js', '?? src/wrap.js']);
}, 60_000);

test('a reviewer of the demo proves what is wrong, and has nothing to add once its test is there', async () => {
  await using repo = await makeRepo({ files: demoFiles });
  const args = [agentFile, '-p', '--json-schema', '{}', '--output-format', 'json'];
  const review = (): unknown =>
    JSON.parse(execFileSync(process.execPath, args, { cwd: repo.path, input: plan, encoding: 'utf8' }));
  expect(review()).toMatchObject({
    is_error: false,
    structured_output: { findings: [{ proof: { command: 'node --test test/width.test.js' } }] },
  });
  await repo.write('test/width.test.js', '');
  expect(review()).toMatchObject({ is_error: false, structured_output: { findings: [] } });
});
