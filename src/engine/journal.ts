import {
  closeSync,
  fsync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Gap, Result, ResultFooter, ResultHeader } from '../model/result.ts';

/** What is concluded from all cases when the last has ended. */
export type Concluded = Pick<Result, 'rules' | 'invariants' | 'unsolicited'>;

/**
 * The append-only record of a run: a line for the header, one for each case as it ends, one for what was concluded from them
 * (with the ids of the cases in the order of the suites), one for the footer. Of a run that can be resumed also lines that
 * only the operator can read, with what going on needs, and one for each gap.
 *
 * A line is handed to the operating system in one write before anybody is told of it, so that killing the process loses no
 * finished case. It is on the disk, for when the power fails, within about a second.
 */
export interface Journal {
  readonly path: string;
  /** `sealed`: what its messages showed; written together with the case, or neither is. */
  readonly addCase: (index: number, result: CaseResult, encrypted?: string) => void;
  /** Something that going on needs. */
  readonly addEncrypted: (encrypted: string) => void;
  readonly addEnd: (concluded: Concluded, footer: ResultFooter) => void;
  /** The run is alive: the time of the file says until when it was. Brings to the disk what was written. */
  readonly beat: () => void;
  /** The cases in the order of their indexes, read back one at a time; can be walked again and again. */
  readonly cases: Iterable<CaseResult>;
  readonly close: () => void;
}

/** Lines of a run that was cut off, as they stood, and when nobody listened. */
export interface KeptLines {
  readonly gaps: readonly Gap[];
  readonly lines: readonly { readonly index?: number; readonly id?: string; readonly bytes: Buffer }[];
}

interface Line {
  readonly offset: number;
  readonly length: number;
}

interface CaseLine extends Line {
  readonly id: string;
}

type Kind = 'header' | 'resumed' | 'encrypted' | 'case' | 'end' | 'footer';

const lineOf = (kind: Kind, value: object): Buffer => Buffer.from(`${JSON.stringify({ kind, ...value })}\n`, 'utf8');

function openToWrite(path: string): number {
  try {
    return openSync(path, 'w+');
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new CarrierspecError(`the journal ${path} cannot be written: ${why}`, {
      code: 'out-unwritable',
      cause,
    });
  }
}

/** Opens a file to append to, and read from; what was kept of a run that was cut off goes in first. */
function openLines(path: string, header: ResultHeader, kept: KeptLines | undefined) {
  mkdirSync(dirname(path), { recursive: true });
  // The journal that was cut off stays what it is until the new one has all of it.
  const draft = kept === undefined ? path : `${path}.tmp`;
  const file = openToWrite(draft);
  const cases: (CaseLine | undefined)[] = [];
  let end = 0;
  const append = (bytes: Buffer): Line => {
    writeSync(file, bytes, 0, bytes.length, end);
    const line = { offset: end, length: bytes.length };
    end += bytes.length;
    return line;
  };
  append(lineOf('header', header));
  for (const gap of kept?.gaps ?? []) append(lineOf('resumed', gap));
  for (const { bytes, index, id } of kept?.lines ?? []) {
    const line = append(bytes);
    if (index !== undefined && id !== undefined) cases[index] = { ...line, id };
  }
  if (kept !== undefined) {
    fsyncSync(file);
    renameSync(draft, path);
  }
  return { file, cases, append };
}

export function createJournal(path: string, header: ResultHeader, kept?: KeptLines): Journal {
  const { file, cases, append } = openLines(path, header, kept);
  let dirty = true;
  let closed = false;
  const read = ({ offset, length }: Line): CaseResult => {
    const bytes = Buffer.allocUnsafe(length);
    readSync(file, bytes, 0, length, offset);
    // Our own line, written from a CaseResult.
    const { kind: _, ...result } = JSON.parse(bytes.toString('utf8')) as CaseResult & { kind: string };
    return result;
  };
  return {
    path,
    addCase: (index, result, encrypted) => {
      const before = encrypted === undefined ? Buffer.alloc(0) : lineOf('encrypted', { case: result.id, encrypted });
      const { offset, length } = append(Buffer.concat([before, lineOf('case', result)]));
      cases[index] = { offset: offset + before.length, length: length - before.length, id: result.id };
      dirty = true;
    },
    addEncrypted: (encrypted) => {
      append(lineOf('encrypted', { encrypted }));
      dirty = true;
    },
    addEnd: ({ rules, invariants, unsolicited }, footer) => {
      append(lineOf('end', { cases: cases.flatMap((line) => line?.id ?? []), rules, invariants, unsolicited }));
      append(lineOf('footer', footer));
      fsyncSync(file);
    },
    beat: () => {
      if (closed) return;
      const now = new Date();
      futimesSync(file, now, now);
      if (!dirty) return;
      dirty = false;
      // Not being able to is nothing that a run should end for: the lines are written.
      fsync(file, () => undefined);
    },
    cases: {
      *[Symbol.iterator]() {
        for (const line of cases) if (line !== undefined) yield read(line);
      },
    },
    close: () => {
      closed = true;
      closeSync(file);
    },
  };
}
