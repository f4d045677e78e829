// Changes: what is chosen, asked about once more, sent, and offered to be taken back.

import { ask, hasToken, send, setToken } from "./api.js";
import { DocumentEditor } from "./document.js";
import { byId, clean, element, named, setText } from "./dom.js";

const NOBODY = { role: "none", who: "", changes: "commands" };

const IN_A_FILE =
  "What everybody is held to is in a file of the controller's, which its administrator changes.";

export class Controls {
  #model;
  #feed;
  #me = NOBODY;
  #policies = [];
  #auditSeen = -1;
  #editor = new DocumentEditor(toast, () => this.#showAudit());

  constructor(model, feed) {
    this.#model = model;
    this.#feed = feed;
    byId("access").addEventListener("click", () => this.#askForToken());
    byId("change-policy").addEventListener("click", () =>
      this.#byDocument ? this.editDocument() : this.#choosePolicy(),
    );
  }

  /** By what things are changed here: commands, a document, or a file that is out of reach. */
  get means() {
    return this.#me.changes;
  }

  get #byDocument() {
    return this.#me.changes === "document";
  }

  get mayChange() {
    return (
      this.#me.role === "admin" || (this.#me.role === "operate" && this.#me.changes === "commands")
    );
  }

  editDocument() {
    return this.#editor.open();
  }

  /** Finds out who we are; called when a connection begins. */
  async refresh() {
    try {
      this.#me = await ask("api/v1/me");
      this.#policies = (await ask("api/v1/policies")).policies;
      this.#auditSeen = -1;
    } catch (problem) {
      this.#me = NOBODY;
      if (hasToken() && problem.status === 401) {
        setToken("");
        toast("The token was refused.");
      }
    }
    const access = byId("access");
    setText(access, this.mayChange ? clean(this.#me.who) : "Read-only");
    access.setAttribute(
      "aria-label",
      this.mayChange
        ? `Signed in as ${clean(this.#me.who)}`
        : "Read-only: sign in to change things",
    );
    access.title = this.mayChange
      ? "You may change things here"
      : "Enter a token to change things";
    const change = byId("change-policy");
    setText(byId("changed-thing"), this.#me.changes === "commands" ? "policy" : "limits");
    change.disabled = !this.mayChange || this.#me.changes === "file";
    change.title =
      this.#me.changes === "file"
        ? IN_A_FILE
        : this.mayChange
          ? ""
          : "Read-only: enter a token first";
  }

  #askForToken() {
    const dialog = byId("token-dialog");
    const input = element("input", {
      type: "password",
      name: "token",
      autocomplete: "off",
      required: true,
    });
    const problem = element("p", { class: "error", role: "alert" });
    const enter = async (event) => {
      event.preventDefault();
      setToken(input.value.trim());
      try {
        const me = await ask("api/v1/me");
        dialog.close();
        toast(
          me.role === "read"
            ? `${me.who} may look and not change anything.`
            : `Signed in as ${me.who}.`,
        );
        this.#feed.restart();
        await this.refresh();
      } catch (refusal) {
        setToken("");
        setText(problem, refusal.message);
      }
    };
    const leave = () => {
      setToken("");
      dialog.close();
      this.#feed.restart();
      this.refresh();
    };
    dialog.replaceChildren(
      element(
        "form",
        { method: "dialog", onsubmit: enter },
        element("h2", { id: "token-title" }, "Sign in with a token"),
        element(
          "p",
          { class: "hint" },
          "Without a token this page only looks. ",
          element("code", {}, "./sluice dashboard"),
          " prints its address with the owner's token; the file that dashboard: tokens names has others. It stays in this tab until you close it.",
        ),
        element("label", { class: "block" }, "Token", input),
        problem,
        element(
          "div",
          { class: "actions" },
          hasToken() ? element("button", { type: "button", onclick: leave }, "Sign out") : "",
          element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
          element("button", { type: "submit", class: "primary" }, "Sign in"),
        ),
      ),
    );
    dialog.showModal();
    input.focus();
  }

  #choosePolicy() {
    const frame = this.#model.frame;
    if (frame === null) {
      return;
    }
    const dialog = byId("policy-dialog");
    const select = element(
      "select",
      { name: "policy" },
      ...this.#policies.map((policy) =>
        element(
          "option",
          { value: policy.name, selected: policy.name === frame.policy },
          policy.name,
        ),
      ),
    );
    const summary = element("p", { class: "hint" });
    const settings = element("div", { class: "stack" });
    const inputs = new Map();
    const fill = () => {
      const policy = this.#policies.find((one) => one.name === select.value);
      setText(summary, policy.summary);
      inputs.clear();
      settings.replaceChildren(
        ...policy.parameters.map((parameter) => {
          const current =
            policy.name === frame.policy ? (frame.settings[parameter.name] ?? "") : "";
          const input = element("input", {
            type: "text",
            placeholder: parameter.default,
            value: current,
            autocomplete: "off",
          });
          inputs.set(parameter.name, input);
          return element(
            "label",
            { class: "block" },
            `${parameter.name}: ${parameter.meaning}`,
            input,
          );
        }),
      );
    };
    select.addEventListener("change", fill);
    fill();
    const observe = element("input", { type: "checkbox", checked: frame.observe_only });
    const go = async (event) => {
      event.preventDefault();
      dialog.close();
      const chosen = {};
      for (const [name, input] of inputs) {
        if (input.value.trim()) {
          chosen[name] = input.value.trim();
        }
      }
      const same =
        select.value === frame.policy && JSON.stringify(chosen) === JSON.stringify(frame.settings);
      if (!same) {
        await this.#change(
          `policy ${spelled(frame.policy, frame.settings)}`,
          `policy ${spelled(select.value, chosen)}`,
          "It decides from its next period on. What the policy before remembered may be lost.",
          () => send("POST", "api/v1/policy", { name: select.value, settings: chosen }),
        );
      }
      if (observe.checked !== frame.observe_only) {
        await this.#change(
          frame.observe_only ? "observe only" : "enforcing",
          observe.checked ? "observe only" : "enforcing",
          observe.checked
            ? "Everything goes on being measured and decided, and nobody is limited."
            : "What is decided will hold from now on.",
          () => send("POST", "api/v1/observe", { only: observe.checked }),
        );
      }
    };
    dialog.replaceChildren(
      element(
        "form",
        { method: "dialog", onsubmit: go },
        element("h2", { id: "policy-title" }, "Who decides"),
        element("label", { class: "block" }, "Policy", select),
        summary,
        settings,
        element("label", {}, observe, " Observe only: decide, and enforce nothing"),
        element(
          "div",
          { class: "actions" },
          element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
          element("button", { type: "submit", class: "primary" }, "Continue"),
        ),
      ),
    );
    dialog.showModal();
    select.focus();
  }

  /** Sets a job's weight, limit or priority. */
  setJob(id, before, wanted) {
    const words = Object.entries(wanted)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
    return this.#change(
      before || "nothing set",
      words,
      `This holds for job ${clean(id)} until it is cleared, or the program ends.`,
      () => send("PUT", `api/v1/jobs/${encodeURIComponent(id)}`, wanted),
    );
  }

  clearJob(id, before) {
    return this.#change(
      before || "what is set",
      "nothing set",
      `Job ${clean(id)} is treated like any other again.`,
      () => send("DELETE", `api/v1/jobs/${encodeURIComponent(id)}`),
    );
  }

  /** Asks once more, sends, and offers to take it back; says whether it was done. */
  #change(before, after, consequence, act) {
    const dialog = byId("confirm-dialog");
    const problem = element("p", { class: "error", role: "alert" });
    return new Promise((resolve) => {
      let done = false;
      const go = async (event) => {
        event.preventDefault();
        try {
          await act();
          done = true;
          dialog.close();
          const [last] = await this.#showAudit();
          toast(
            `Changed: ${last ? last.what : after}`,
            last?.back ? () => last.back.act() : null,
          );
        } catch (refusal) {
          setText(problem, refusal.message);
        }
      };
      dialog.replaceChildren(
        element(
          "form",
          { method: "dialog", onsubmit: go },
          element("h2", { id: "confirm-title" }, "Change this?"),
          element("p", {}, "from ", element("b", {}, named(before))),
          element("p", {}, "to ", element("b", {}, named(after))),
          element("p", { class: "hint" }, consequence),
          problem,
          element(
            "div",
            { class: "actions" },
            element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
            element("button", { type: "submit", class: "primary", id: "confirm" }, "Change it"),
          ),
        ),
      );
      dialog.addEventListener("close", () => resolve(done), { once: true });
      dialog.showModal();
      byId("confirm").focus();
    });
  }

  async #undo(id) {
    try {
      await send("POST", `api/v1/audit/${id}/undo`);
      toast("Taken back.");
    } catch (refusal) {
      toast(refusal.message);
    }
    this.#showAudit();
  }

  /** The last changes, and what takes each back. */
  async #changes() {
    if (this.#me.changes === "file") {
      return [];
    }
    if (!this.#byDocument) {
      const { changes } = await ask("api/v1/audit");
      return changes.map((change) => ({
        atMillis: change.at_ms,
        who: change.who,
        what: change.what,
        undone: change.undone,
        back: change.can_undo ? { name: "Undo", act: () => this.#undo(change.id) } : null,
      }));
    }
    const { versions } = await ask("api/v1/documents?max=20");
    return versions.map((version, place) => ({
      atMillis: version.applied_ms,
      who: version.author,
      what: [`version ${version.version}`, version.note, ...version.changes]
        .filter((words) => words !== "")
        .join("; "),
      undone: false,
      back:
        place === 0
          ? null
          : {
              name: "Restore",
              act: () => this.#restore(version.version, versions[0].version),
            },
    }));
  }

  #restore(version, inForce) {
    return this.#change(
      `version ${inForce}`,
      `what version ${version} said`,
      "All that was changed since is undone, in a version of its own.",
      () => send("POST", `api/v1/documents/${version}/restore`, { on_version: inForce }),
    );
  }

  /** Shows the changes if there are new ones. */
  follow(frame) {
    if (frame.audit !== this.#auditSeen) {
      this.#auditSeen = frame.audit;
      this.#showAudit().catch(() => {
        this.#auditSeen = -1;
      });
    }
  }

  async #showAudit() {
    const changes = await this.#changes();
    const items = changes.slice(0, 20).map((change) => {
      const at = new Date(change.atMillis);
      const back =
        change.back !== null && this.mayChange
          ? element(
              "button",
              {
                type: "button",
                class: "plain",
                onclick: () => change.back.act(),
                "aria-label": `${change.back.name} ${clean(change.what)}`,
              },
              change.back.name,
            )
          : "";
      return element(
        "li",
        {},
        element("time", { datetime: at.toISOString() }, at.toLocaleString()),
        element("span", { class: "who" }, named(change.who)),
        element("span", { class: change.undone ? "undone" : "" }, named(change.what)),
        back,
      );
    });
    byId("audit").replaceChildren(
      ...(items.length
        ? items
        : [
            element(
              "li",
              {},
              element(
                "span",
                { class: "who" },
                this.#me.changes === "file"
                  ? IN_A_FILE
                  : this.#byDocument
                    ? "Nobody has applied a document yet."
                    : "Nobody changed anything since this program started.",
              ),
            ),
          ]),
    );
    return changes;
  }
}

function spelled(policy, settings) {
  return [policy, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join(" ");
}

/** Tells something for a while; with a way back if there is one. */
export function toast(text, undo = null) {
  const node = element("div", { class: "toast" }, element("span", {}, clean(text)));
  if (undo !== null) {
    node.append(
      element(
        "button",
        {
          type: "button",
          onclick: () => {
            node.remove();
            undo();
          },
        },
        "Undo",
      ),
    );
  }
  const holder = byId("toasts");
  holder.append(node);
  while (holder.children.length > 3) {
    holder.firstChild.remove();
  }
  setTimeout(() => node.remove(), undo === null ? 6000 : 15000);
}
