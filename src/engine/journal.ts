import { closeSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseResult, ResultFooter, ResultHeader } from '../model/result.ts';

/** The append-only record of a run: a line for the header, one for each case as it ends, one for the footer. */
export interface Journal {
  readonly path: string;
  readonly addCase: (index: number, result: CaseResult) => void;
  readonly addFooter: (footer: ResultFooter) => void;
  /** The cases in the order of their indexes, read back one at a time; can be walked again and again. */
  readonly cases: Iterable<CaseResult>;
  readonly close: () => void;
}

interface Line {
  readonly offset: number;
  readonly length: number;
}

export function createJournal(path: string, header: ResultHeader): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w+');
  const lines: (Line | undefined)[] = [];
  let end = 0;

  const append = (kind: 'header' | 'case' | 'footer', value: object): Line => {
    const bytes = Buffer.from(`${JSON.stringify({ kind, ...value })}\n`, 'utf8');
    writeSync(file, bytes, 0, bytes.length, end);
    const line = { offset: end, length: bytes.length };
    end += bytes.length;
    return line;
  };
  const read = ({ offset, length }: Line): CaseResult => {
    const bytes = Buffer.allocUnsafe(length);
    readSync(file, bytes, 0, length, offset);
    // Our own line, written above from a CaseResult.
    const { kind: _, ...result } = JSON.parse(bytes.toString('utf8')) as CaseResult & { kind: string };
    return result;
  };

  append('header', header);
  return {
    path,
    addCase: (index, result) => {
      lines[index] = append('case', result);
    },
    addFooter: (footer) => {
      append('footer', footer);
      fsyncSync(file);
    },
    cases: {
      *[Symbol.iterator]() {
        for (const line of lines) if (line !== undefined) yield read(line);
      },
    },
    close: () => closeSync(file),
  };
}
