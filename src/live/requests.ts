import type { Answer } from '../engine/context/operator.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { defined } from '../lib/optional.ts';
import type { Given, Person } from './desk.ts';

/** What a page sends; each part is bounded, and what is not as it should be is no request. */
const longestId = 64;
const longestName = 40;
const longestNote = 2000;

const words: readonly Answer['word'][] = ['done', 'yes', 'no', 'cannot'];
const idPattern = /^[\w-]+$/;

const textIn = (from: JsonObject, name: string, longest: number): string | undefined => {
  const value = from[name];
  return typeof value === 'string' && value.length <= longest ? value : undefined;
};

export function idIn(from: JsonObject, name: string): string | undefined {
  const id = textIn(from, name, longestId);
  return id !== undefined && idPattern.test(id) ? id : undefined;
}

/** Who sends; without a name it is somebody. */
function parsePerson(body: Json | undefined): Person | undefined {
  if (!isJsonObject(body)) return undefined;
  const id = idIn(body, 'person');
  const name = textIn(body, 'name', longestName);
  if (id === undefined || name === undefined) return undefined;
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return { id, name: plain === '' ? 'somebody' : plain };
}

interface Taking {
  readonly question: string;
  readonly person: Person;
}

export function parseTaking(body: Json | undefined): Taking | undefined {
  const person = parsePerson(body);
  if (person === undefined || !isJsonObject(body)) return undefined;
  const question = idIn(body, 'question');
  return question === undefined ? undefined : { question, person };
}

/** The answer itself; undefined where a part of it cannot be. */
function parseAnswer(body: JsonObject): Answer | undefined {
  const word = words.find((one) => one === body['word']);
  const note = body['note'] === undefined ? '' : textIn(body, 'note', longestNote);
  if (word === undefined || note === undefined) return undefined;
  return { word, ...defined({ note: note.trim() || undefined }) };
}

export function parseAnswering(body: Json | undefined): (Given & { readonly question: string }) | undefined {
  const taking = parseTaking(body);
  if (taking === undefined || !isJsonObject(body)) return undefined;
  const attempt = idIn(body, 'attempt');
  const answer = parseAnswer(body);
  if (attempt === undefined || answer === undefined) return undefined;
  return { question: taking.question, person: taking.person, attempt, answer };
}
