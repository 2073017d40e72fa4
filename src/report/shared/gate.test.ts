import { describe, expect, it } from 'vitest';
import { findCommands, logCommands, placeEverywhere } from '../../testing/program/ci-logs.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import { type FormatName, formats } from '../formats.ts';
import { createGate, forLog, gateReport, markers } from './gate.ts';

const names = Object.keys(formats).filter((name): name is FormatName => Object.hasOwn(formats, name));

describe.each(Object.entries(logCommands))('%s', (_, command) => {
  it.each([
    ['alone', command],
    ['behind a line feed', `x\n${command}`],
    ['behind blanks', `   ${command}`],
    ['behind a colour', `\u001b[31m${command}\u001b[39m`],
    ['behind colours and blanks', `\u001b[31m  \u001b[1m ${command}`],
    ['in a line', `x ${command} y`],
    ['twice', `${command}${command}`],
    ['at every place', placeEverywhere(command)],
  ])('is none %s', (__, text) => {
    expect(findCommands(forLog(text))).toEqual([]);
    expect(findCommands(createGate({ plain: false })(text))).toEqual([]);
  });

  it('is none in pieces, wherever they are cut', () => {
    const text = `x ${command} \n \u001b[31m${command}`;
    const whole = forLog(text);
    for (let at = 1; at < text.length; at += 1) {
      // A colour sequence is never split.
      // oxlint-disable-next-line no-control-regex -- the escape of a colour
      if (/\u001b(?:\[\d*;?)?$/.test(text.slice(0, at))) continue;
      const gate = createGate({ plain: true });
      const closed = gate(text.slice(0, at)) + gate(text.slice(at));
      expect(findCommands(closed)).toEqual([]);
      expect(closed).toBe(whole);
    }
    // oxlint-disable-next-line no-control-regex -- as above
    expect(findCommands([...gateReport(text.match(/\u001b\[\d*m|[\s\S]/g) ?? [])].join(''))).toEqual([]);
  });

  it('stays what it is when it goes through the gate again', () => {
    const once = forLog(placeEverywhere(command));
    expect(forLog(once)).toBe(once);
  });

  it('is a command without the gate', () => {
    expect(findCommands(command)).not.toEqual([]);
  });
});

describe('the gate', () => {
  it('shows the last character of a marker, and leaves the rest', () => {
    expect(forLog('  ::add-mask::x ##[error]y ##vso[task.complete]z')).toBe(
      '  :\\u{3a}add-mask::x ##\\u{5b}error]y ##vs\\u{6f}[task.complete]z',
    );
    expect(forLog('--- a\n+++ b\n')).toBe('---\\u{20}a\n+++\\u{20}b\n');
  });

  it('leaves what no reader acts on', () => {
    const text =
      '# h\n## h\n- x\n  ---\n  ...\n---\na :: b, x::y, # SKIP #1 ##\n\u001b[31mred\u001b[39m \u001b[1;2m\u001b[0m\tx\n~~~\n';
    expect(forLog(text)).toBe(text);
  });

  it('shows controls in a log, and lets them through to a terminal', () => {
    expect(forLog('a\r\u001b[Kb\u001b[8mc\u0007')).toBe('a\\u{d}\\u{1b}[Kb\\u{1b}[8mc\\u{7}');
    expect(createGate({ plain: false })('a\r\u001b[Kb')).toBe('a\r\u001b[Kb');
    // Calendar lines end with CR LF, on stdout as well.
    expect(forLog('a\r\n::error::b\r\nc\rd')).toBe('a\r\n:\\u{3a}error::b\r\nc\\u{d}d');
  });

  it('takes no more time for a long line in small pieces than it has pieces', () => {
    const gate = createGate({ plain: true });
    const begun = performance.now();
    for (let at = 0; at < 200_000; at += 1) gate(' :');
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('has a command of each marker in these tests', () => {
    for (const { text } of markers) {
      expect(Object.values(logCommands).some((command) => command.includes(text))).toBe(true);
    }
  });

  it.each(names.filter((name) => name !== 'annotations'))('leaves a report as it is: %s', async (name) => {
    for (const result of [sampleResult, shippedSample]) {
      const text = [...(await formats[name]())(result, testedInterface)].join('');
      expect(forLog(text)).toBe(text);
    }
  });
});
