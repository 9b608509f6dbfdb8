// Loaded into pawl with `node --import`: gives the clocks of its sessions other lengths, as JSON in the environment says.
import { endingMs } from '../../src/agent/session/clocks.ts';

Object.assign(endingMs, JSON.parse(process.env['SHORT_CLOCKS_MS'] ?? '{}'));
