/** What does not come in time. */
class TooLate extends Error {
  constructor(seconds: number) {
    super(`it took longer than ${seconds} s`);
    this.name = 'TooLate';
  }
}

/** What a promise brings, waited for so many seconds at most; throws TooLate. The work itself goes on, and is not listened to. */
export async function within<T>(promise: Promise<T> | T, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(seconds)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
