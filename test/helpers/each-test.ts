// What each test of a file has one of its own of.
import { afterEach, beforeEach } from 'vitest';

/** Made before each test, disposed of after it. */
export function eachTest<Made extends Disposable | AsyncDisposable>(make: () => Made | Promise<Made>): Made {
  let made: Made;
  beforeEach(async () => {
    made = await make();
  });
  afterEach(async () => {
    await using _ = made;
  });
  return new Proxy({} as Made, { get: (_, key) => Reflect.get(made, key) });
}
