import { at, type Cursor } from '../suite/yaml/cursor.ts';
import { readSmall, type SmallFile } from './read-small.ts';
import type { Reader } from './reader.ts';

/** What a file or a variable of the environment holds, and where the target file names it. */
export interface Source extends SmallFile {
  readonly place: Cursor;
}

/** Reads `{ file: PATH }` or `{ env: NAME }`; what is wrong with it is reported. */
export function readSource(cursor: Cursor, reader: Reader): Source | undefined {
  const [file, env] = [at(cursor, 'file'), at(cursor, 'env')];
  if (file.value !== undefined && env.value !== undefined) {
    return reader.complain(cursor, 'bad-value', '"file" and "env" do not go together: it comes from one of them');
  }
  if (file.value === undefined && env.value === undefined) {
    return reader.complain(cursor, 'missing-key', 'it needs "file" or "env", to say where it comes from');
  }
  if (file.value !== undefined) {
    const read = readSmall(file, reader);
    return read === undefined ? undefined : { ...read, place: file };
  }
  const content = reader.text(cursor);
  if (content === undefined) return undefined;
  // In many places a variable cannot hold a line break, so PEM has them written out.
  const lines = content.includes('-----BEGIN') ? content.replaceAll(String.raw`\n`, '\n') : content;
  return { name: `the value of ${reader.variable(cursor)}`, content: lines, place: cursor };
}
