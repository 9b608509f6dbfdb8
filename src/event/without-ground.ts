// What is told of a start, less the ground that it works on. Without schemas: `pawl status --line` loads it.
import type { GroundFields } from './ground.ts';

const names: Readonly<Record<keyof GroundFields, true>> = {
  agent: true,
  model: true,
  permissions: true,
  sandbox: true,
  jobs: true,
  reviews: true,
  reviewSessions: true,
  billing: true,
  trusted: true,
  traceparent: true,
  flags: true,
};

export function withoutGround<T extends GroundFields>(told: T): Omit<T, keyof GroundFields> {
  const others = Object.entries(told).filter(([name]) => !(name in names));
  return Object.fromEntries(others) as Omit<T, keyof GroundFields>;
}
