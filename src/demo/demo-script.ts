import type { Script } from './script.ts';
export const demoScript: Script = { turns: [] };
