import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { ClockNames, ExecDriver } from '../../model/target.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { wholeMillis } from '../../lib/time.ts';
import { createSender } from '../../wire/send/sender.ts';
import { createClockClient } from './clock-client.ts';

const body = (path: string) => buildTemplate(`{{ body.${path} }}`, ['body']);

/** Names of a lab's times, in seconds. */
const inSeconds: ClockNames = {
  now: body('clock.time'),
  next: body('clock.then'),
  inFlight: body('sending'),
  unit: 'seconds',
};

function byScript(
  text: string,
  names?: ClockNames,
): ReturnType<typeof createClockClient> & { readonly folder: string } {
  const folder = makeFolder();
  writeFileSync(join(folder, 'clock.sh'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'clock.sh'), 0o755);
  const driver = (...args: readonly string[]): ExecDriver & { readonly names?: ClockNames } => ({
    ...(names === undefined ? {} : { names }),
    kind: 'exec',
    argv: [buildTemplate('./clock.sh'), ...args.map((one) => buildTemplate(one, ['to']))],
    variables: [],
    folder,
    timeout: 5,
    done: [0],
    impossible: [],
    env: { PATH: process.env['PATH'] },
  });
  const sender = createSender({ requestTimeout: 1, connections: 1 });
  return { folder, ...createClockClient({ read: driver(), advance: driver('{{ to }}') }, sender) };
}

describe('a clock that is read and advanced by a program', () => {
  test('tells the time, and advances as it is asked', async () => {
    const clock = byScript(`echo "$@" >> asked; echo '{ "now": 5, "nextDue": 9, "inFlight": 0 }'`);
    expect(await clock.read()).toEqual({ now: 5, least: 5, nextDue: 9, inFlight: 0 });
    await clock.advance(wholeMillis(1_767_225_600_000));
    expect(readFileSync(join(clock.folder, 'asked'), 'utf8')).toBe('\n1767225600000\n');
  });

  test('in seconds, under names of its own', async () => {
    const clock = byScript(
      `echo "$@" >> asked; echo '{ "clock": { "time": "1767225600.5", "then": 1767225660 }, "sending": 2 }'`,
      inSeconds,
    );
    const reading = { now: 1_767_225_600_500, least: 1_767_225_601_000, nextDue: 1_767_225_660_000, inFlight: 2 };
    expect(await clock.read()).toEqual(reading);
    expect(clock.unit).toBe(1000);
    expect(await clock.advance(wholeMillis(1_767_225_660_000))).toEqual(reading);
    expect(readFileSync(join(clock.folder, 'asked'), 'utf8')).toBe('\n1767225660\n');
  });

  test.each([
    ['milliseconds' as const, '1767225600123.25', 123, 124, 124],
    ['seconds' as const, '1767225600.12325', 123, 1000, 124],
    // The double of 123 ms after a whole second is a little less.
    ['seconds' as const, '1767225600.123', 123, 1000, 123],
  ] as const)(
    'whose %s have a fraction is never ahead, and is not asked to go back: %s',
    async (unit, told, ...after: readonly number[]) => {
      const text = `echo '{ "clock": { "time": ${told}, "then": ${told} }, "sending": 0 }'`;
      const [now, least, nextDue] = after.map((one) => 1_767_225_600_000 + one);
      expect(await byScript(text, { ...inSeconds, unit }).read()).toEqual({ now, least, nextDue, inFlight: 0 });
    },
  );

  test('is not asked for a moment that it cannot show: that is a fault of ours', () =>
    expect(byScript('exit 0', inSeconds).advance(wholeMillis(1500))).rejects.toThrow(RangeError));

  test.each([0, 253_402_300_799_999])('may tell any time of four-digit years: %i', async (now) =>
    expect(await byScript(`echo '{"now":${now}}'`).read()).toMatchObject({ now }),
  );

  test('that is moved to a time in another unit is named', () =>
    expect(
      byScript('echo \'{ "clock": { "time": 1767225600000 } }\'', inSeconds).advance(wholeMillis(9000)),
    ).rejects.toThrow('the clock at ./clock.sh tells a time after the year 9999; its unit is seconds'));

  test('that says nothing when it is moved is read', async () => {
    const clock = byScript('[ -n "$1" ] || echo \'{ "clock": { "time": 5 } }\'', inSeconds);
    expect(await clock.advance(wholeMillis(9000))).toEqual({
      now: 5000,
      least: 5000,
      nextDue: null,
      inFlight: undefined,
    });
  });

  test.each([
    ['echo soon', 'the clock at ./clock.sh does not tell the time', 'usage'],
    [
      `echo '{"now":1e308}'`,
      'the clock at ./clock.sh tells a time after the year 9999; its unit is milliseconds',
      'usage',
    ],
    [
      'echo \'{"now":253402300800000}\'',
      'the clock at ./clock.sh tells a time after the year 9999; its unit is milliseconds',
      'usage',
    ],
    ['echo \'{"now":-1}\'', 'the clock at ./clock.sh tells a time before 1970; its unit is milliseconds', 'usage'],
    ['echo \'{"now":"NaN"}\'', 'the clock at ./clock.sh does not tell the time', 'usage'],
    ['exit 4', "the carrier's clock by ./clock.sh gave exit code 4", 'usage'],
    ['kill -9 $$', "the carrier's clock did not answer by ./clock.sh: it was ended by SIGKILL", 'unreachable'],
  ])('%s', (text, message, kind) => expect(byScript(text).read()).rejects.toMatchObject({ message, kind }));
});
