// Moments to come, in zones with and without changed clocks: when a run starts that is put off.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parseMoment } from '../../src/config/moment.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

function read(text: string, now: string, timeZone = 'Europe/Berlin'): string {
  process.env['TZ'] = timeZone;
  const moment = parseMoment(text, new Date(now));
  return 'at' in moment ? moment.at.toISOString() : moment.mistake;
}

describe('a time of day is its next occurrence', () => {
  test.each([
    ['later today', '23:30', '2026-11-22T20:00:00Z', '2026-11-22T22:30:00.000Z'],
    ['tomorrow', '02:00', '2026-11-22T20:00:00Z', '2026-11-23T01:00:00.000Z'],
    ['now is tomorrow', '21:00', '2026-11-22T20:00:00Z', '2026-11-23T20:00:00.000Z'],
    ['over the end of a year', '2:00', '2026-12-31T20:00:00Z', '2027-01-01T01:00:00.000Z'],
    ['with seconds', '02:00:30', '2026-11-22T20:00:00Z', '2026-11-23T01:00:30.000Z'],
    ['clocks are set forward before it', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['clocks are set back before it', '07:00', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['clocks skip it', '02:30', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['clocks show it twice: the first', '02:30', '2026-10-24T21:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['clocks show it twice: the second', '02:30', '2026-10-25T00:45:00Z', '2026-10-25T01:30:00.000Z'],
    ['both have passed', '02:30', '2026-10-25T01:45:00Z', '2026-10-26T01:30:00.000Z'],
  ])('%s', (_, text, now, at) => expect(read(text, now)).toBe(at));

  test('clocks that are set back by half an hour show it twice', () => {
    expect(read('01:45', '2026-04-04T14:50:00Z', 'Australia/Lord_Howe')).toBe('2026-04-04T15:15:00.000Z');
  });
});

describe('a date with a time', () => {
  test.each([
    ['in this zone', '2026-11-23T02:00', '2026-11-23T01:00:00.000Z'],
    ['with a blank', '2026-11-23 02:00', '2026-11-23T01:00:00.000Z'],
    ['in UTC', '2026-11-23T02:00:00Z', '2026-11-23T02:00:00.000Z'],
    ['in another zone', '2026-11-23T02:00-05:00', '2026-11-23T07:00:00.000Z'],
    ['in another, shorter', '2026-11-23T02:00+0530', '2026-11-22T20:30:00.000Z'],
    ['a leap day', '2028-02-29T00:00', '2028-02-28T23:00:00.000Z'],
  ])('%s', (_, text, at) => expect(read(text, '2026-11-22T20:00:00Z')).toBe(at));
});

test.each([
  ['24:00', 'is no time of day'],
  ['12:60', 'is no time of day'],
  ['2026-02-30T02:00', 'is no date with a time'],
  ['2026-11-23T25:00', 'is no date with a time'],
  ['2026-11-22T20:59', 'has passed already'],
  ['2am', 'is neither a time of day nor a date with one'],
  ['', 'is neither a time of day nor a date with one'],
  ['2026-11-23', 'is neither a time of day nor a date with one'],
  ['tomorrow 02:00', 'is neither a time of day nor a date with one'],
])('“%s” %s', (text, mistake) => expect(read(text, '2026-11-22T20:00:00Z')).toBe(mistake));

test('a time of day comes within a day and an hour, and clocks show it then unless the day skips it', () => {
  process.env['TZ'] = 'Europe/Berlin';
  const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.nat(23), fc.nat(59), (now, hour, minute) => {
      const moment = parseMoment(`${hour}:${String(minute).padStart(2, '0')}`, now);
      if (!('at' in moment)) throw new Error(moment.mistake);
      const waitMs = moment.at.getTime() - now.getTime();
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(25 * 3_600_000);
      const isSkipped = hour === 2 && moment.at.getHours() === 3;
      if (!isSkipped) expect([moment.at.getHours(), moment.at.getMinutes()]).toEqual([hour, minute]);
    }),
  );
});
