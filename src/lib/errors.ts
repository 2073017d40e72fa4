/** The code of an error of Node's (`ENOENT`), or the error as text where it has none. */
export function causeCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
