// The document that says what everybody is held to: written, looked at for what it would change,
// and put in force.

import { ask, send } from "./api.js";
import { byId, clean, element, named, setText } from "./dom.js";

const EXAMPLE = `# What everybody shares, and how it is divided:
resources:
  - {operations: metadata, max: 110 kops/s, policy: psfa}
`;

export class DocumentEditor {
  #toast;
  #changed;

  /**
   * @param toast tells something for a while
   * @param changed called once another document is in force
   */
  constructor(toast, changed) {
    this.#toast = toast;
    this.#changed = changed;
  }

  async open() {
    let held;
    try {
      held = await ask("api/v1/document");
    } catch (refusal) {
      this.#toast(refusal.message);
      return;
    }
    const dialog = byId("document-dialog");
    const content = element("textarea", {
      name: "content",
      rows: "14",
      spellcheck: "false",
      autocapitalize: "off",
    });
    content.value = held.version === 0 ? EXAMPLE : held.content;
    const note = element("input", { type: "text", name: "note", autocomplete: "off" });
    const outcome = element("div", { class: "stack", role: "status" });
    const problem = element("p", { class: "error", role: "alert" });
    const apply = element(
      "button",
      { type: "submit", class: "primary", disabled: true, id: "apply-document" },
      "Put in force",
    );
    content.addEventListener("input", () => {
      // Only what was looked at is put in force.
      apply.disabled = true;
    });
    const attempt = async (act) => {
      setText(problem, "");
      try {
        await act();
      } catch (refusal) {
        setText(problem, refusal.message);
      }
    };
    const check = () =>
      attempt(async () => {
        apply.disabled = true;
        outcome.replaceChildren();
        const seen = content.value;
        const answer = await send("POST", "api/v1/document/check", { content: seen });
        outcome.replaceChildren(...changesOf(answer));
        apply.disabled = !answer.changed || content.value !== seen;
      });
    const put = (event) => {
      event.preventDefault();
      return attempt(async () => {
        const answer = await send("POST", "api/v1/documents", {
          content: content.value,
          note: note.value.trim(),
          on_version: held.version,
        });
        dialog.close();
        this.#toast(
          `Version ${answer.version} is in force.`,
          held.version === 0 ? null : () => this.#undo(held.version, answer.version),
        );
        await this.#changed();
      });
    };
    dialog.replaceChildren(
      element(
        "form",
        { method: "dialog", onsubmit: put },
        element("h2", { id: "document-title" }, "What everybody is held to"),
        element("p", { class: "hint" }, ...origin(held)),
        element("label", { class: "block" }, "Document (YAML)", content),
        element("label", { class: "block" }, "Why, for whoever reads its history", note),
        outcome,
        problem,
        element(
          "div",
          { class: "actions" },
          element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
          element(
            "button",
            { type: "button", onclick: check, id: "check-document" },
            "What would change?",
          ),
          apply,
        ),
      ),
    );
    dialog.showModal();
    content.focus();
  }

  async #undo(version, inForce) {
    try {
      await send("POST", `api/v1/documents/${version}/restore`, {
        note: `instead of version ${inForce}`,
        on_version: inForce,
      });
      this.#toast("Taken back.");
    } catch (refusal) {
      this.#toast(refusal.message);
    }
    await this.#changed();
  }
}

function origin(held) {
  if (held.version === 0) {
    return ["Nobody has applied a document yet. This one is an example."];
  }
  const when = new Date(held.applied_ms).toLocaleString();
  return [
    `Version ${held.version}, put in force by `,
    named(held.author),
    ` on ${when}`,
    held.note ? `: ${clean(held.note)}` : "",
  ];
}

/** What a document would change, and for whom of those who are here now. */
function changesOf(answer) {
  if (!answer.changed) {
    return [element("p", {}, "Nothing: the same is in force.")];
  }
  const lines = (title, texts) =>
    texts.length === 0
      ? []
      : [
          element("b", {}, title),
          element("ul", { class: "found" }, ...texts.map((text) => element("li", {}, named(text)))),
        ];
  return [
    ...lines("It would change", answer.changes),
    ...lines("For those who are here now", answer.effects),
  ];
}
