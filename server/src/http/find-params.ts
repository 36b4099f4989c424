/** `name`, `steps[0].title` or `data.a-b`. */
const param = /^[a-z_]\w*(?:\.[\w$-]+|\[\d+\])*$/;
/** The names that a message begins with. */
const names = /^`[^`]+`(?:(?:, | and | or )`[^`]+`)*/;

/** A parameter that is wrong, and why, for programs that show it beside their own input. */
export interface ParamError {
  param: string;
  problem: string;
}

/**
 * Lists the parameters at fault. A message about parameters begins with their names: that is how every message is written,
 * so what people and programs read never differs.
 */
export function findParams(messages: readonly string[]): ParamError[] {
  return messages.flatMap((message) => {
    const [start = ''] = names.exec(message) ?? [];
    const found = start.split('`').filter((name, index) => index % 2 === 1 && param.test(name));
    const problem = found.length === 1 ? message.slice(start.length).trimStart() : message;
    return found.map((name) => ({ param: name, problem }));
  });
}
