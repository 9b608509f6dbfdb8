// Loaded into pawl with `node --import`: gives its clocks and caps other values, each as an environment variable says, e.g.
// FIXED_BACKOFF_MS=1000; and those that end a session, as JSON.
import { endingMs, startMs } from '../../src/agent/session/session-state.ts';
import { fixed } from '../../src/config/fixed.ts';

Object.assign(endingMs, JSON.parse(process.env['SHORT_CLOCKS_MS'] ?? '{}'));
for (const all of [fixed, startMs])
  for (const key of Object.keys(all)) {
    const value = process.env[`FIXED_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`];
    if (value !== undefined) Object.assign(all, { [key]: Number(value) });
  }
