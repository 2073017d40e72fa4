import { MissingValue } from '../../../model/suite.ts';

/** Thrown if a judge reads a value that a single message does not show; a judge of templates takes it for one never sent. */
class HiddenValue extends MissingValue {}

/** Makes members unknown: reading one throws NotShown, so that its rule is not judged. */
export function withUnknown<T extends object>(observation: T, names: readonly (keyof T & string)[]): T {
  for (const name of names) {
    Object.defineProperty(observation, name, {
      enumerable: true,
      get: () => {
        throw new HiddenValue(name);
      },
    });
  }
  return observation;
}

const requestPhrase = 'the request that it answers';
const arrivalPhrase = 'the time it came';
const headerFieldsPhrase = 'its HTTP header fields';
const requestLinePhrase = 'its request line';
const targetFilePhrase = 'the target file';

const memberPhrases: Readonly<Record<string, string>> = {
  headers: headerFieldsPhrase,
  headerLines: headerFieldsPhrase,
  method: requestLinePhrase,
  target: requestLinePhrase,
  url: 'the URL that was asked',
  status: 'its status',
  claims: requestPhrase,
  readable: requestPhrase,
  sent: requestPhrase,
  receivedAt: arrivalPhrase,
  took: arrivalPhrase,
  body: 'the body that carries it',
  unreadable: 'its bytes',
  elsewhere: targetFilePhrase,
};

/** Roots of templates that have a value in a run only. */
const rootPhrases: Readonly<Record<string, string>> = {
  response: requestPhrase,
  target: targetFilePhrase,
  client: targetFilePhrase,
  clients: targetFilePhrase,
  subscriber: targetFilePhrase,
};

/** Missing value in words; undefined if the rule is about another message, or another step of its case. */
export function describeMissingValue(missed: MissingValue): string | undefined {
  const [root = ''] = missed.path.split('.');
  return (missed instanceof HiddenValue ? memberPhrases : rootPhrases)[root];
}
