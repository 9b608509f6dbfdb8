// Checks that name the person's tree.
import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/plan/parse.ts';
import { refuseTiedCheck } from '../../../src/start/ground/enter.ts';

test.each([
  ['cd /home/me/app && true', true],
  ['cd "$HOME/app" && true', true],
  ['ls ~/app/src', true],
  ['cd /home/me/app-2; true', false],
  ['npm test', false],
])('%s', (command, isRefused) => {
  const plan = parsePlan(`# P\n\n### Task 1: T\n- check: \`${command}\`\n- [ ] do\n`, 'plan.md');
  const refuse = () => refuseTiedCheck(plan, { root: '/home/me/app', home: '/home/me', checks: [] });
  if (isRefused) expect(refuse).toThrow('/home/me/app');
  else expect(refuse).not.toThrow();
});
