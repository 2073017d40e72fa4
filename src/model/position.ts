/** A place in a file the operator or a suite author wrote. Line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function renderPosition({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
