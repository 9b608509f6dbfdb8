// The dashboard in a real browser: `pawl web` of a scene, a page that opens its link, and what a person does there.
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { browser } from './needs.ts';
import type { Running, Scene } from './pawl.ts';

/** A dashboard that is served. */
export type Web = Readonly<{ link: string; port: number; token: string; running: Running }>;

/** Starts `pawl web` and waits for its link. */
export async function serveWeb(scene: Scene, ...args: string[]): Promise<Web> {
  const running = scene.start('web', ...args);
  let stdout = '';
  running.child.stdout?.on('data', (text: string) => {
    stdout += text;
  });
  const find = () => /(http:\/\/127\.0\.0\.1:(\d+)\/#t=([\w-]+))/.exec(stdout);
  // Not `expect.poll`, which is lost where tests of a file run at the same time.
  await vi.waitFor(() => expect(find()).not.toBeNull(), { timeout: 240_000, interval: 50 });
  const [, link = '', port = '', token = ''] = find() ?? [];
  return { link, port: Number(port), token, running };
}

/** A browser that ends with its scope. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  return chromium.launch({ executablePath: browser ?? '' });
}

/** A page, and all that its console complained about. */
export async function openPage(
  shown: Browser,
  link: string,
  size: Readonly<{ width: number; height: number }> = { width: 1280, height: 900 },
): Promise<Page & { complaints: string[] }> {
  const context = await shown.newContext({ viewport: size });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(link);
  return Object.assign(page, { complaints });
}
