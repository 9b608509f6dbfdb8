// Plan checks that cannot run, unless a task may still provide what is missing.
import { ruleOf } from './rule.ts';

export const noProgram = ruleOf('no-program', 'warning', (_, { missing = [], where = 'in PATH' }) =>
  missing
    .filter(({ check, isBrought }) => !isBrought && check.scope !== 'config')
    .map(({ check: { command, place }, program, says }) => {
      const [line = ''] = command.trim().split('\n');
      const why =
        says === undefined ? `there is no ${program} ${where}; install it there` : `${says}; correct it`;
      return {
        message: `\`${line}\` cannot run: ${why}, or mention it in an earlier task that adds it`,
        place,
      };
    }),
);
