import type { Marking } from './marking.ts';
import type { Match } from './matches.ts';

/** What a compact JWS or JWE is made of, and where one may begin: a header of at least nine characters. */
const joseRuns = /[\w.-]+/g;
const joseStart = 'eyJ';
const shortestHeader = 9;

/** Where a compact JWS or JWE begins in a run of its characters. Takes time in proportion to the run, whatever it is. */
function startOfJose(run: string): number | undefined {
  let start = run.indexOf(joseStart);
  while (start >= 0) {
    const dot = run.indexOf('.', start);
    if (dot < 0) return undefined;
    if (dot - start >= shortestHeader) return start;
    start = run.indexOf(joseStart, dot);
  }
  return undefined;
}

/** Found wherever it stands, by nobody who knows it. */
export const isJose = (secret: string): boolean => startOfJose(secret) === 0 && /^[\w.-]+$/.test(secret);

function* joseIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 0: run, index } of text.matchAll(joseRuns)) {
    const start = startOfJose(run);
    if (start !== undefined)
      yield { start: index + start, end: index + run.length, mark: mark('jose', run.slice(start)) };
  }
}

/** The password in a URL (RFC 3986 §3.2.1): up to the last `@` of its authority. */
const passwords = /(\/\/?[^\s/?#@:"]*:)([^\s/?#"]+)@/g;

function* passwordsIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 1: before = '', 2: password = '', index } of text.matchAll(passwords)) {
    const start = index + before.length;
    yield { start, end: start + password.length, mark: mark('password', password) };
  }
}

/** What is a secret by its form: each JWS or JWE in compact form, and the password of each URL. */
export const secretsByForm = (text: string, marking: Marking): readonly Match[] =>
  text.includes('@') || text.includes(joseStart) ? [...passwordsIn(text, marking), ...joseIn(text, marking)] : [];
