/** The code of an error of Node's (`ENOENT`), or `unknown error`. */
export function causeCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
}
