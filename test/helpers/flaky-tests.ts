// A test that was green only at the second try is named at the end, as pawl itself names a flaky check: it is a defect to
// look for.
import type { Reporter, TestModule } from 'vitest/node';

/** The lines; empty when nothing was flaky. */
export function tellFlaky(names: readonly string[]): string {
  return names.map((name) => `Flaky, green at the second try: ${name}\n`).join('');
}

/** Says the lines when all tests are over. */
export class FlakyTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    process.stdout.write(
      tellFlaky(flaky.map((test) => `${test.module.relativeModuleId} > ${test.fullName}`)),
    );
  }
}
