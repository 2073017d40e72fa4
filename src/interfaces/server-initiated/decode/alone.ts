import { MissingValue } from '../../../model/suite.ts';

/** A judge reads what a message that stands alone does not show; a judge of templates takes it like a value that was never sent. */
class NotShown extends MissingValue {}

/** An observation with unknown members: reading one throws, so that its rule is not judged. */
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

/** The roots of templates that have a value in a run only. */
const ofRoots: Readonly<Record<string, string>> = {
  response: request,
  target: file,
  client: file,
  clients: file,
  subscriber: file,
};

/** What was missed, in words; undefined where the rule is about another message, or another step of its case. */
export function wordsOfMissing(missed: MissingValue): string | undefined {
  const [root = ''] = missed.path.split('.');
  return (missed instanceof NotShown ? ofMembers : ofRoots)[root];
}
