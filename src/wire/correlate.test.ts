import { describe, expect, test } from 'vitest';
import { createCorrelator, type Ties } from './correlate.ts';

describe('the request a delivery answers', () => {
  test('by auth_req_id first, then by bearer, then by state', () => {
    const { add, find } = createCorrelator<string>();
    add('id', { authReqId: 'i' });
    add('bearer', { bearer: 'b' });
    add('state', { state: 's' });
    const all: Ties = { authReqId: 'i', bearer: 'b', state: 's' };
    expect(find(all)).toBe('id');
    expect(find({ bearer: 'b', state: 's' })).toBe('bearer');
    expect(find({ state: 's' })).toBe('state');
    expect(find({ ...all, authReqId: 'unknown' })).toBe('bearer');
    expect(find({ authReqId: 'unknown', bearer: 'unknown', state: 's' })).toBe('state');
  });

  test('nothing known, nothing found', () => {
    const { add, find } = createCorrelator<string>();
    add('one', { state: 's' });
    expect(find({})).toBeUndefined();
    expect(find({ authReqId: 's', bearer: 's' })).toBeUndefined();
  });

  test('ties of one request come in as they become known', () => {
    const { add, find } = createCorrelator<string>();
    add('one', { bearer: 'b', state: 's' });
    add('one', { authReqId: 'i' });
    expect([find({ authReqId: 'i' }), find({ bearer: 'b' }), find({ state: 's' })]).toEqual(['one', 'one', 'one']);
  });

  test('a tie that two requests share is the later one’s', () => {
    const { add, find } = createCorrelator<string>();
    add('first', { authReqId: 'i1', state: 'same' });
    add('second', { authReqId: 'i2', state: 'same' });
    expect(find({ state: 'same' })).toBe('second');
    expect(find({ authReqId: 'i1', state: 'same' })).toBe('first');
  });

  test('what is forgotten is found no more, by none of its ties', () => {
    const { add, find, forget } = createCorrelator<string>();
    const ties = { authReqId: 'i', bearer: 'b', state: 's' };
    add('one', ties);
    forget(ties);
    expect(find(ties)).toBeUndefined();
  });

  test('a case that ends does not take the tie of another that shares it', () => {
    const { add, find, forget } = createCorrelator<string>();
    const first = { bearer: 'b1', state: 'null' };
    add('first', first);
    add('second', { bearer: 'b2', state: 'null' });
    forget(first);
    expect(find({ bearer: 'b1' })).toBeUndefined();
    expect(find({ state: 'null' })).toBe('second');
  });
});
