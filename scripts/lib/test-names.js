// What a test process tells the reporter beside the results of tests.

export const LAST_TEST = 'wait until the results are written'
/** Begins the message with the CPU seconds of a file, which follow its name. */
export const CPU_DIAGNOSTIC = 'CPU seconds of '
