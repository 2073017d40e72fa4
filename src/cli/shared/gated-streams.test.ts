import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Result } from '../../model/result.ts';
import { formats, isFormatName } from '../../report/formats.ts';
import { createProgress } from '../../report/progress/display.ts';
import { findCommands, logCommands, placeEverywhere } from '../../testing/program/ci-logs.ts';
import { poisonResult } from '../../testing/carriers/hostile.ts';
import { fromHostileCarrier, withEveryMessage } from '../../testing/carriers/hostile-carrier.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { parseWorkflowCommand } from '../../testing/results/report-parsers.ts';
import { buildFinding } from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { withGate } from './gated-streams.ts';
import type { Invocation } from './command.ts';
import { writeReports, writeRequested } from './reports.ts';

const sample = withEveryMessage(sampleResult);
const attacks = { instead: fromHostileCarrier, behind: poisonResult };
const everything = placeEverywhere(Object.values(logCommands).join(' '));

interface Setting {
  readonly columns?: number;
  readonly isTTY?: boolean;
  readonly env?: Invocation['env'];
}

/** Opens an invocation whose streams keep their text. */
function openProgram({ columns = 80, isTTY = false, env = {} }: Setting = {}) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => {
    const opened = new Writable({
      decodeStrings: false,
      write: (piece, _, done) => {
        written[name] += String(piece);
        done();
      },
    });
    return Object.assign(opened, { columns, isTTY });
  };
  const invocation = withGate({
    argv: [],
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    onSignal: () => undefined,
    exitNow: () => undefined,
  });
  return { invocation, written };
}

async function writeOne(format: string, result: Result): Promise<string> {
  const { invocation, written } = openProgram();
  await writeRequested(
    [{ format, path: '-' }],
    async (name) => (isFormatName(name) ? (await formats[name]())(result, serverInitiated) : []),
    invocation.stdout,
  );
  return written.stdout;
}

async function writeTerminal(result: Result, setting: Setting): Promise<string> {
  const { invocation, written } = openProgram(setting);
  await writeReports(result, { wanted: [], detail: 'whole' }, invocation);
  return written.stdout;
}

const widths = (step: number): readonly number[] =>
  Array.from({ length: Math.floor(180 / step) + 1 }, (_, at) => 20 + at * step);

describe.each(Object.entries(attacks))('a result with a text %s', (_, attack) => {
  it.each(Object.entries(logCommands))('has no line on which a log acts at any width: %s', async (__, command) => {
    const result = attack(sample, placeEverywhere(command));
    for (const columns of widths(36)) {
      const env = columns % 24 === 20 ? { FORCE_COLOR: '1' } : {};
      expect(findCommands(await writeTerminal(result, { columns, env }))).toEqual([]);
    }
  });

  it('has none with all of them at once, at many widths', async () => {
    const result = attack(sample, everything);
    for (const columns of widths(12)) {
      expect(findCommands(await writeTerminal(result, { columns, isTTY: columns % 2 === 0 }))).toEqual([]);
    }
  });

  const others = Object.keys(formats).filter((name) => name !== 'annotations');
  it.each(others)('has none as %s on stdout or in a file', async (format) => {
    if (!isFormatName(format)) throw new TypeError('no format');
    for (const text of [Object.values(logCommands).join('\n'), everything]) {
      const result = attack(sample, text);
      const onStdout = await writeOne(format, result);
      expect(findCommands(onStdout)).toEqual([]);
      const file = [...(await formats[format]())(result, serverInitiated)].join('');
      // HTML and XML have their own escaping and keep the lines of a body; the stream defuses these.
      if (format === 'html' || format === 'junit') continue;
      expect(onStdout).toBe(file);
    }
  });

  it('has only its own commands as annotations', async () => {
    const shape = (text: string): unknown =>
      text.split('\n').map((line) => {
        const { command, properties = {} } = parseWorkflowCommand(line) ?? {};
        return [command, Object.keys(properties)];
      });
    const harmless = shape(await writeOne('annotations', attack(sample, 'harmless')));
    for (const text of [...Object.values(logCommands), everything]) {
      const annotations = await writeOne('annotations', attack(sample, text));
      expect(shape(annotations)).toEqual(harmless);
      const own = /^(?:GitHub: ::(?:error|warning|notice) )/;
      expect(findCommands(annotations).filter((line) => !own.test(line))).toEqual([]);
      const lines = annotations.split('\n').flatMap((line) => parseWorkflowCommand(line)?.message.split('\n') ?? []);
      expect(findCommands(lines.join('\n'))).toEqual([]);
    }
  });
});

const eventsWith = (text: string): readonly ProgressEvent[] => [
  { kind: 'started', cases: 3 },
  { kind: 'note', text },
  { kind: 'waiting', waiting: [{ case: text, for: text, until: 1 }], now: 0 },
  { kind: 'finding', finding: buildFinding({ actual: text, path: text }), id: 'a' },
  { kind: 'case-finished', id: 'a', verdict: 'inconclusive', reason: text },
  { kind: 'case-finished', id: text, verdict: 'fail', reason: text },
];

describe.each([true, false])('the progress of a run (a terminal: %s)', (isTTY) => {
  it('has no line on which a log acts, at any width', () => {
    for (const columns of widths(36)) {
      for (const command of Object.values(logCommands)) {
        const { invocation, written } = openProgram({ columns, isTTY });
        const { stderr } = invocation;
        const progress = createProgress({ stream: stderr, tty: isTTY, colour: columns % 24 === 20, now: () => 0 });
        for (const event of eventsWith(placeEverywhere(command))) progress.event(event);
        progress.close();
        expect(findCommands(written.stderr)).toEqual([]);
      }
    }
  });
});

describe('a stream with a gate', () => {
  it('is the stream in all else', () => {
    const { invocation, written } = openProgram({ columns: 33, isTTY: true });
    const { stdout } = invocation;
    expect([stdout.columns, stdout.isTTY, stdout.writable]).toEqual([33, true, true]);
    let drained = false;
    stdout.once('drain', () => {
      drained = true;
    });
    stdout.emit('drain');
    stdout.write(Buffer.from('::add-mask::x\n'));
    stdout.write('##vso[x]', 'utf8');
    expect([drained, written.stdout]).toEqual([true, ':\\u{3a}add-mask::x\n##vs\\u{6f}[x]']);
  });

  it('opens stdin only where it is read', () => {
    let opened = 0;
    const { invocation } = openProgram();
    const gated = withGate({
      ...invocation,
      get stdin() {
        opened += 1;
        return undefined;
      },
    });
    expect(opened).toBe(0);
    expect([gated.stdin, opened]).toEqual([undefined, 1]);
  });
});
