import { MissingValue } from '../../../model/suite.ts';

/** Thrown if a judge reads a value that a single message does not show; a judge of templates takes it for one never sent. */
class NotShown extends MissingValue {}

/** Makes members unknown: reading one throws NotShown, so that its rule is not judged. */
export function withUnknown<T extends object>(observation: T, names: readonly (keyof T & string)[]): T {
  for (const name of names) {
    Object.defineProperty(observation, name, {
      enumerable: true,
      get: () => {
        throw new NotShown(name);
      },
    });
  }
  return observation;
}

const request = 'the request that it answers';
const arrival = 'the time it came';
const fields = 'its HTTP header fields';
const line = 'its request line';
const file = 'the target file';

const ofMembers: Readonly<Record<string, string>> = {
  headers: fields,
  headerLines: fields,
  method: line,
  target: line,
  url: 'the URL that was asked',
  status: 'its status',
  claims: request,
  readable: request,
  sent: request,
  receivedAt: arrival,
  took: arrival,
  body: 'the body that carries it',
  unreadable: 'its bytes',
  elsewhere: file,
};

/** Roots of templates that have a value in a run only. */
const ofRoots: Readonly<Record<string, string>> = {
  response: request,
  target: file,
  client: file,
  clients: file,
  subscriber: file,
};

/** Missing value in words; undefined if the rule is about another message, or another step of its case. */
export function wordsOfMissing(missed: MissingValue): string | undefined {
  const [root = ''] = missed.path.split('.');
  return (missed instanceof NotShown ? ofMembers : ofRoots)[root];
}
