// Which agents are not started where they would obey what nobody has consented to.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { Place } from '../../../src/place/place.ts';
import { refuseObedient } from '../../../src/work/session/open-session.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

test.each<[agent: string, trusted: boolean, changed: readonly string[], refused: RegExp | undefined]>([
  ['opencode', false, [], /opencode would obey opencode.json, which is not trusted/],
  ['work', false, [], /work would obey opencode.json/],
  ['gemini', false, [], undefined],
  ['claude', false, [], undefined],
  ['opencode', true, ['.claude/settings.json'], undefined],
  ['opencode', true, ['.opencode/plugin/x.js'], /would obey .opencode\/plugin\/x.js/],
  ['kimi', true, ['.kimi-code/mcp.json'], /would obey .kimi-code\/mcp.json/],
  ['kimi', true, ['.mcp.json'], /would obey .mcp.json/],
  ['copilot', true, ['.github/hooks/x.json'], /would obey .github\/hooks\/x.json/],
  ['copilot', true, ['.claude/settings.json'], /would obey .claude\/settings.json/],
])('%s, consented at the start %s, changed since %j: %s', (agent, trusted, changed, refused) => {
  using folder = makeTempFolder();
  writeFileSync(path.join(folder.path, 'opencode.json'), '{}');
  const config = configSchema.parse({ agents: { work: { use: 'opencode', env: {} } } });
  const state = () => ({ started: { ground: { trusted } } });
  const place = { run: { config, state, untrusted: () => changed } } as unknown as Place;
  const refuse = () => refuseObedient(place, agent, folder.path);
  if (refused) expect(refuse).toThrow(refused);
  else expect(refuse).not.toThrow();
});
