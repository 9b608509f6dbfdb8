// A run watched and steered in a real browser from its start to its receipt: a question answered, a note, a pause, a stop; a
// second tab, a reload, the death of the run and that of the dashboard.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { openBrowser, openPage, serveWeb } from '../helpers/dashboard.ts';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight, startTo } from '../helpers/night.ts';
import { type Cast, expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';

const script = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
const plan = letterPlan('a', 'b', 'c')
  .replace('Letters', `Letters ${script}`)
  .replace('### Task 1', '## Validation Commands\n- `sh check.sh`\n\n### Task 1')
  .replaceAll('- check', '- depends: none\n- check');

const until = (gate: string) => ({
  bash: `echo > .git/at-${gate}; until [ -f .git/${gate} ]; do sleep 0.05; done`,
});
const asks = {
  say: 'Which?\n\n{{marker NEEDS_INPUT What tells two clients apart: (a) the API key, (b) the address, or (c) both?}}',
};
const reads = { say: 'The headers are named in the draft standard; I read it first.' };
const look = { say: `I look at the API first. ${script}` };

const turns: readonly Turn[] = [
  { when: 'The answer: the API key', steps: [write('b'), done] },
  onTask('a', [look, { bash: 'ls' }, { bash: 'echo wrong > a.txt' }, done], true),
  onTask('a', [{ bash: 'printf "a\\nright at last\\n" > a.txt' }, done]),
  onTask('b', [asks], true),
  onTask('c', [reads, until('three'), write('c'), done], true),
  onTask('c', [until('again'), write('c'), done]),
];

const makeLimits = (cast: Cast = 'scripted') =>
  makeNight({
    ...{ plan, turns, cast },
    files: { 'check.sh': 'ls *.txt\n! grep -q wrong *.txt\n' },
    env: { PAWL_TASK_CORRECTIONS: '1' },
  });

/** Neither in a command line nor in what a run keeps. */
function expectNoToken(scene: Scene, token: string): void {
  const search = 'grep -rlsFf - /proc/[0-9]*/cmdline "$0"';
  const runs = path.join(scene.repo.path, '.git', 'pawl', 'runs');
  expect(spawnSync('sh', ['-c', search, runs], { input: token, encoding: 'utf8' }).stdout).toBe('');
}

const casts: readonly Cast[] = isSoak ? ['scripted', 'claude'] : ['scripted'];

test.runIf(has('a browser (chromium-headless-shell)')).each(casts)(
  'a run from its start to its receipt, in a browser (%s)',
  async (cast) => {
    await using scene = await makeLimits(cast);
    const web = await serveWeb(scene);
    await using browser = await openBrowser();
    const page = await openPage(browser, web.link);
    const sees = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 240_000 });
    await sees('There is no run yet.');
    // Without the list beside it the page has the whole width.
    expect((await page.locator('main').boundingBox())?.width).toBeGreaterThan(1_000);
    expect(page.url()).not.toContain(web.token);

    const running = await startTo(scene, '.git/at-three', '--set', 'waitForAnswer=1h');
    await page.locator('.row').first().click();
    await page.locator('.need.question').getByText('Write b').waitFor();
    // With a question open, the tasks begin on the first screen.
    expect((await page.locator('.tabs').boundingBox())?.y).toBeLessThan(440);
    expect(await page.title()).toMatch(/^\(1\) Letters/);

    // An answer is held back: the wrong key can be undone.
    await page.keyboard.press('c');
    await page.keyboard.press('2');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.keyboard.press('c');
    await page.keyboard.press('1');
    await sees(/pawl answer --run docs\/plans\/plan\.md 2 'the API key'/);
    await sees(/Task 2 gets the answer with its next attempt/);
    await page.locator('.need').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: /^Activity/ }).click();
    await sees(/draft standard; I read it first/);
    await page.locator('.run-header').getByRole('button', { name: 'Steer' }).click();
    await page.getByRole('textbox', { name: 'Note for the agent' }).fill("Don't touch the old headers.");
    await page.locator('.form').getByRole('button', { name: 'Steer', exact: true }).click();
    await sees(/Note 1: the next session gets it/);
    await sees(/Waits for the next session/);

    const phone = await openPage(browser, web.link, { width: 360, height: 780 });
    await phone.locator('.bottom').getByRole('link', { name: 'Runs' }).click();
    await phone.locator('.row').first().click();
    await phone.getByRole('button', { name: 'Pause' }).click();
    await phone.locator('.form').getByRole('button', { name: 'Pause', exact: true }).click();
    await sees('pausing');
    await page.reload();
    await sees('pausing');
    await scene.repo.write('.git/three', '');
    await running.until('paused');
    await sees('paused');
    await phone.locator('.headline').getByRole('button', { name: 'Continue', exact: true }).click();
    const ended = await expectExit(0, running.ended);
    await page.locator('.end').getByText('3 checks red before, green now').waitFor();
    await page.getByRole('link', { name: /^Tasks/ }).click();
    // As it was before the last task was begun or soon after, and as it is.
    const last = factsOf(ended, 'task-started').at(-1);
    const row = page.locator(`.task-row[data-task="${last?.task}"]`);
    await page.locator('.replay input').fill(String(Date.parse(last?.at ?? '')));
    await row.getByText('proven').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'The end', exact: true }).click();
    await row.getByText('proven').waitFor();
    // A run that is opened once more is told whole, though nothing is new.
    await page.locator('.brand').click();
    await page.locator('.row').first().click();
    await page.getByRole('link', { name: /^Tasks/ }).click();
    await page.locator('.task-row[data-task="1"]').click();
    await sees('Before the work');
    expect(await page.locator('.trail .sign').allTextContents()).toContain('↩');
    await page.getByRole('link', { name: 'Session 2', exact: true }).click();
    await page
      .getByLabel('Session', { exact: true })
      .selectOption({ label: 'Session 3, task 2: needs-input' });
    await page.locator('.item').getByText('needs input: ').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await sees('+right at last');
    await page.locator('.check').filter({ hasText: 'red' }).filter({ hasText: 'check.sh' }).first().click();
    await page.locator('.trail .output').getByText('a.txt').waitFor({ timeout: 240_000 });
    await phone.goto(page.url());
    await phone.getByRole('button', { name: 'Show the difference' }).click();
    await phone.getByText('+right at last').waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await phone.setViewportSize({ width: 360, height: 240 });
    await phone.locator('.bottom').getByRole('link', { name: 'Runs' }).click();
    await phone.locator('.runs').waitFor();
    await expect.poll(() => phone.evaluate('scrollY'), { timeout: 60_000 }).toBeGreaterThan(0);
    // As a link of a message, or an installed page, opens it: with the token of this browser, or with a pasted link.
    const linked = await page.context().newPage();
    await linked.goto(page.url());
    await linked.getByText('Before the work').waitFor({ timeout: 240_000 });
    await linked.close();
    const stranger = await openPage(browser, page.url());
    await stranger.getByText('This browser has no valid link.').waitFor({ timeout: 240_000 });
    await stranger.getByLabel('Link').fill(web.link);
    await stranger.getByText('Before the work').waitFor({ timeout: 240_000 });
    const manifest: { start_url: string } = await page.evaluate(
      'fetch("/app.webmanifest").then((a) => a.json())',
    );
    expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
    await page.keyboard.press('?');
    await sees('next and previous run, or task');
    await page.keyboard.press('Escape');
    await page.locator('.brand').click();
    await page.getByRole('searchbox').fill('no run is called this');
    await sees('No run matches');

    expect(factsOf(ended, 'intervention').map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      'answer web',
      'steer web',
      'pause web',
      'continue web',
    ]);
    expect(await page.evaluate('"hit" in window')).toBe(false);
    expect([...page.complaints, ...phone.complaints]).toEqual([]);
    expectNoToken(scene, web.token);
    expect((await scene.pawl('web', '--stop')).exit).toBe(0);
    expect((await web.running.ended).exit).toBe(0);
  },
);

test.runIf(isSoak && has('a browser (chromium-headless-shell)'))(
  'a stop by the page; the death of the run, and of the dashboard',
  async () => {
    await using scene = await makeLimits();
    // The dashboard beside a run outlives it, and would outlive a story that fails.
    await using _web = { [Symbol.asyncDispose]: async () => void (await scene.pawl('web', '--stop')) };
    await scene.repo.write('.git/three', '');
    const first = await startTo(scene, '.git/at-three', '--task', '3', '--web');
    const beside = await scene.pawl('web');
    const [, link = ''] = /Dashboard: (\S+)/.exec(beside.stdout) ?? [];
    const over = await first.ended;
    expect(over.stderr).toMatch(/Dashboard: port \d+; `pawl web` prints its link\./);
    expect(over.stderr).not.toContain(link.split('#')[1] ?? 'none');

    await using browser = await openBrowser();
    const page = await openPage(browser, link);
    const sees = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 240_000 });
    const second = scene.startRun('--fresh', '--set', 'waitForAnswer=1h');
    await second.until('waiting', ({ why }) => why === 'answer');
    await page.locator('.row').first().click();
    await page.locator('.more summary').click();
    await page.locator('.run-header').getByRole('button', { name: 'Stop' }).click();
    await sees(/pawl stop docs\/plans\/plan\.md/);
    await page.locator('.form').getByRole('button', { name: 'Stop', exact: true }).click();
    await expectExit(130, second.ended);
    await sees('stopped');
    const put = async (button: string, says: RegExp, send = button) => {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await page.locator('.form').getByRole('button', { name: send, exact: true }).click();
      await page.locator('.reply').getByText(says).waitFor({ timeout: 240_000 });
    };
    await page.locator('.more summary').click();
    await page.locator('.run-header').getByRole('button', { name: 'Set budget' }).click();
    await page.getByLabel('US dollars').fill('7');
    await page.locator('.form').getByRole('button', { name: 'Set budget', exact: true }).click();
    await sees(/The run may spend \$7\.00/);
    await page.getByRole('link', { name: /^Tasks/ }).click();
    await page.locator('.task-row[data-task="1"]').click();
    await sees('pawl undo 1 --run docs/plans/plan.md');

    const third = scene.startRun('--set', 'waitForAnswer=1h');
    await third.until('waiting', ({ why }) => why === 'answer');
    third.child.kill('SIGKILL');
    await third.ended;
    await sees('The run was cut off');

    // A server that has no room is asked again.
    await page.route('**/api/news*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await sees(/not connected, trying again/);
    await page.unroute('**/api/news*');
    await sees('The run was cut off');

    const known = JSON.parse(readFileSync(path.join(scene.home, '.local/state/pawl/web.json'), 'utf8'));
    process.kill(known.pid, 'SIGKILL');
    await sees(/not connected, trying again/);
    const again = await serveWeb(scene);
    expect(again.link).toBe(link);
    await page.getByText(/not connected/).waitFor({ state: 'detached', timeout: 240_000 });
    await sees('The run was cut off');
    await page.locator('.task-row[data-task="2"]').click();
    await put('Skip', /Task 2 is skipped in this run/, 'Skip task 2');
    await put('Retry', /Task 2 gets new attempts/, 'Retry task 2');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
    expect(page.complaints.filter((said) => !said.includes('503'))).toEqual([]);
    again.running.child.kill('SIGTERM');
    expect((await again.running.ended).exit).toBe(0);
  },
);
