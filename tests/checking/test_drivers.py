"""Running a subject and recording what happened."""

import sys
from collections.abc import Callable

import numpy as np
import pytest
import scipy.special
import torch
from torch import nn
from torch.nn import functional as F

from grader.checking.attempt import attempt, observe, subject_problem
from grader.checking.device import computing
from grader.checking.drivers import known_drivers
from grader.checking.drivers.gradients import record_gradients
from grader.checking.drivers.module import construct, load_weights
from grader.checking.fake_device import ELSEWHERE
from grader.checking.observation import Observation
from grader.checking.recording import MAX_ELEMENTS, CallWatcher, Recorder
from grader.checking.steps.tracing import trace
from grader.exercises import EXERCISES, Exercise, find_exercise
from grader.exercises.case import Case
from grader.references import ExerciseReference, load_exercise
from grader.topics.attention.declared import LIBRARY_ATTENTION

# A probe of ones for a result of two numbers.
ONES = {"result": torch.ones(2)}

CPU = torch.device("cpu")
SECONDS = 0.3
Forward = Callable[[nn.Module, torch.Tensor], object]


def module_of(forward: Forward, exercise: Exercise) -> type[nn.Module]:
    """Return a module class with the exercise's parameters and this forward."""

    class Subject(nn.Module):
        def __init__(self, d_in: int, d_out: int) -> None:
            super().__init__()
            for name in exercise.parameters:
                self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))

    Subject.forward = forward
    return Subject


@pytest.fixture
def case(reference: ExerciseReference) -> Case:
    """Return a case whose sizes all differ."""
    return next(one for one in reference.cases if len({*one.options.values()}) > 1)


@pytest.fixture
def seen(exercise: Exercise, case: Case) -> Callable[[Forward], Observation]:
    """Return a function that observes a forward on the case."""
    return lambda forward: observe(exercise, module_of(forward, exercise), case, CPU)


@pytest.fixture
def transfer() -> Exercise:
    """Return the exercise that asks for a function."""
    return find_exercise("ch04-transfer-weights")


@pytest.fixture
def transferred(transfer: Exercise) -> Callable[[Callable], Observation]:
    """Return a function that observes a transfer function on the exercise's first case."""
    case = load_exercise(transfer.chapter, transfer.id).cases[0]
    return lambda subject: observe(transfer, subject, case, CPU)


def project(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the queries."""
    return x @ self.W_query


# What is recorded.


def test_recorded_tensor_is_a_copy() -> None:
    """A recorded tensor does not change when the learner's does."""
    recorder, tensor = Recorder(), torch.zeros(2)
    recorder.tensor("argument/x", tensor)
    tensor.fill_(1)
    assert torch.equal(recorder.tensors["argument/x"], torch.zeros(2))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "NoneType"),
        ([1.0], "list"),
        (torch.ones(2).numpy(), "ndarray"),
        (torch.eye(2).to_sparse(), "sparse"),
        (torch.zeros(1).expand(MAX_ELEMENTS + 1), "elements"),
    ],
    ids=["none", "list", "array", "sparse", "huge"],
)
def test_what_is_no_plain_tensor_is_not_recorded(value: object, kind: str) -> None:
    """A result that is no plain dense tensor of bearable size leaves only what it is."""
    recorder = Recorder()
    assert not recorder.result("result", value)
    assert kind in str(recorder.kinds["result"].message)
    assert recorder.tensors == {}


def test_subclass_of_tensor_is_no_plain_tensor() -> None:
    """An object that could decide for itself how it compares is not taken for a tensor."""

    class Agreeable(torch.Tensor):
        pass

    recorder = Recorder()
    assert not recorder.result("result", torch.zeros(2).as_subclass(Agreeable))


def test_tensor_without_values_is_not_taken_for_a_stub(seen: Callable[[Forward], Observation]) -> None:
    """A result on the meta device, which has no values, is a wrong result, not an unwritten one."""
    observation = seen(lambda self, x: project(self, x).to("meta"))
    assert observation.raised is None
    assert "result" in observation.kinds


def test_result_arguments_parameters_and_gradients_are_recorded(
    seen: Callable[[Forward], Observation], exercise: Exercise, case: Case
) -> None:
    """A run leaves its result, its arguments, its parameters, and the gradients that arrived."""
    observation = seen(project)
    assert torch.allclose(observation.tensors["result"], case.arguments["x"] @ case.weights["W_query"])
    assert torch.equal(observation.tensors["argument/x"], case.arguments["x"])
    assert set(observation.of_role("parameter")) == {f"parameter/{name}" for name in exercise.parameters}
    assert set(observation.of_role("gradient")) == {"gradient/W_query", "gradient/x"}
    assert observation.registered == exercise.parameters


def test_parameters_are_recorded_as_constructed(
    seen: Callable[[Forward], Observation], exercise: Exercise, case: Case
) -> None:
    """A recorded parameter is the constructor's own draw, not the case's weight loaded after it."""
    torch.manual_seed(case.seed)
    drawn = torch.rand(case.weights["W_query"].shape)
    assert torch.equal(seen(project).tensors["parameter/W_query"], drawn)


def test_writing_into_an_argument_is_recorded(seen: Callable[[Forward], Observation], case: Case) -> None:
    """An argument that the call writes into is recorded as the call left it, and the case keeps its own."""
    before = case.arguments["x"].clone()
    observation = seen(lambda self, x: project(self, x.zero_()))
    assert not observation.tensors["argument/x"].any()
    assert torch.equal(case.arguments["x"], before)


def test_right_answer_agrees_on_every_device(
    device: torch.device, exercise: Exercise, reference: ExerciseReference, answers
) -> None:
    """A right answer's results are within tolerance, and on the device of the inputs."""
    source = answers(exercise.id)["textbook"]
    namespace: dict[str, object] = {}
    exec(source.program, namespace)
    for case in reference.cases:
        observation = observe(exercise, namespace[exercise.subject], case, device)
        expected = reference.expected[case.name]["result"]
        error = (observation.tensors["result"] - expected.values).abs().max()
        assert error <= expected.tolerance[computing(device.type)]
        assert set(observation.devices.values()) == {device.type}


def test_what_raises_on_the_cpu_is_run_nowhere_else(exercise: Exercise, reference: ExerciseReference) -> None:
    """An index out of range ends a GPU for good, so what is wrong on the CPU does not get there."""
    places = []

    def forward(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        places.append(x.device.type)
        return x[:, [len(x[0])]]

    case = reference.cases[0]
    subject = module_of(forward, exercise)
    raised = observe(exercise, subject, case, ELSEWHERE).raised
    assert raised.type_name == "IndexError"
    trace(exercise, subject, case, ELSEWHERE)
    assert set(places) == {"cpu"}


# Loading weights.


def test_weights_are_loaded_by_name() -> None:
    """Weights go to the attributes of their names, in whatever order these were created."""
    module = nn.Module()
    module.second, module.first = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(2))
    load_weights(module, {"first": torch.full((2,), 1.0), "second": torch.full((2,), 2.0)})
    assert (module.first.tolist(), module.second.tolist()) == ([1.0, 1.0], [2.0, 2.0])


def test_weight_of_a_layer_is_loaded() -> None:
    """A dotted name reaches the parameter of a layer."""
    module, weight = nn.Sequential(nn.Linear(2, 3, bias=False)), torch.ones(3, 2)
    load_weights(module, {"0.weight": weight})
    assert torch.equal(module[0].weight, weight)


def test_plain_tensor_is_loaded_too() -> None:
    """A weight held as a plain tensor gets the case's numbers, so that the result can be judged."""
    module, weight = nn.Module(), torch.ones(2)
    module.W = torch.zeros(2)
    load_weights(module, {"W": weight})
    assert torch.equal(module.W, weight)
    assert module.W is not weight


def test_weight_of_another_shape_is_left_alone() -> None:
    """A parameter of another shape keeps its numbers: nothing is broadcast into it."""
    module = nn.Module()
    module.W = nn.Parameter(torch.zeros(2, 3))
    load_weights(module, {"W": torch.ones(3)})
    assert not module.W.any()


@pytest.mark.parametrize("name", ["W", "layer.weight", "layer.0.weight"])
def test_missing_weight_is_passed_over(name: str) -> None:
    """A name that the module does not have is not an error here."""
    module = nn.Module()
    load_weights(module, {name: torch.ones(2)})
    assert list(module.parameters()) == []


def test_bias_that_is_not_asked_for_is_zero() -> None:
    """A bias that the case does not name changes no number: a check reports it, numbers tell the rest."""
    module = nn.Sequential(nn.Linear(2, 3))
    load_weights(module, {"0.weight": torch.ones(3, 2)})
    assert module[0].bias.tolist() == [0.0] * 3


def test_bias_that_is_asked_for_is_loaded() -> None:
    """A bias that the case names gets the case's numbers."""
    module, bias = nn.Sequential(nn.Linear(2, 3)), torch.arange(3.0)
    load_weights(module, {"0.weight": torch.ones(3, 2), "0.bias": bias})
    assert torch.equal(module[0].bias, bias)


# Gradients.


def test_gradient_of_the_probed_result_is_recorded() -> None:
    """The gradient recorded is that of the result's product with the probe."""
    recorder, x, probe = Recorder(), torch.ones(2, requires_grad=True), torch.tensor([2.0, 3.0])
    record_gradients(recorder, {"result": 5 * x}, {"x": x}, {"result": probe})
    assert torch.equal(recorder.tensors["gradient/x"], 5 * probe)


def test_source_that_is_not_reached_has_no_gradient() -> None:
    """A source that the result does not depend on leaves no gradient."""
    recorder, x, y = Recorder(), torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    record_gradients(recorder, {"result": 5 * x}, {"x": x, "y": y}, ONES)
    assert set(recorder.tensors) == {"gradient/x"}


@pytest.mark.parametrize(
    "result_of", [lambda x: x.detach(), lambda x: (5 * x)[None]], ids=["detached", "another shape"]
)
def test_result_that_cannot_be_probed_has_no_gradient(
    result_of: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    """A result that is cut off from autograd, or of another shape than the probe, leaves no gradient."""
    recorder, x = Recorder(), torch.ones(2, requires_grad=True)
    record_gradients(recorder, {"result": result_of(x)}, {"x": x}, ONES)
    assert recorder.tensors == {}


def test_overwritten_graph_has_no_gradient() -> None:
    """A result whose graph was overwritten leaves no gradient and no error."""
    recorder, x = Recorder(), torch.ones(2, requires_grad=True)
    power = x.exp()
    result = power * 2
    power.zero_()
    record_gradients(recorder, {"result": result}, {"x": x}, ONES)
    assert recorder.tensors == {}


def test_gradients_flow_where_the_learner_switched_them_off(exercise: Exercise, case: Case) -> None:
    """A check inside torch.no_grad still sees the gradients."""
    with torch.no_grad():
        observation = observe(exercise, module_of(project, exercise), case, CPU)
    assert "gradient/W_query" in observation.tensors


# The state of torch.


def test_default_dtype_of_the_learner_does_not_matter(exercise: Exercise, case: Case) -> None:
    """A default dtype that the learner set neither reaches the subject nor is lost."""
    torch.set_default_dtype(torch.float64)
    try:
        observation = observe(exercise, module_of(project, exercise), case, CPU)
        assert torch.get_default_dtype() is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert observation.tensors["parameter/W_query"].dtype is torch.float32


def test_default_dtype_that_the_subject_sets_does_not_stay(seen: Callable[[Forward], Observation]) -> None:
    """A default dtype that the answer sets is gone after its run."""

    def forward(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        torch.set_default_dtype(torch.float64)
        return project(self, x)

    seen(forward)
    assert torch.get_default_dtype() is torch.float32


def test_random_state_of_the_learner_is_untouched(seen: Callable[[Forward], Observation]) -> None:
    """What the learner draws next is the same with and without a check."""
    before = torch.get_rng_state()
    seen(project)
    assert torch.equal(torch.get_rng_state(), before)


def test_gradient_mode_that_the_subject_sets_does_not_stay(seen: Callable[[Forward], Observation]) -> None:
    """Switching gradients off in the answer does not last."""

    def forward(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        torch.set_grad_enabled(False)
        return project(self, x)

    seen(forward)
    assert torch.is_grad_enabled()


# What the learner's code calls and raises.


@pytest.mark.parametrize(
    "call",
    [
        F.scaled_dot_product_attention,
        torch.ops.aten.scaled_dot_product_attention,
        lambda q, k, v: nn.MultiheadAttention(q.shape[-1], 1)(q, k, v)[0],
    ],
    ids=["functional", "ops", "module"],
)
def test_library_attention_is_noted(call: Callable) -> None:
    """Every way to the library's attention is noted."""
    x = torch.ones(1, 3, 2)
    with CallWatcher(LIBRARY_ATTENTION.parts) as watcher:
        call(x, x, x)
    assert watcher.calls


def test_other_calls_are_not_noted() -> None:
    """The steps of the formula are no library attention."""
    with CallWatcher(LIBRARY_ATTENTION.parts) as watcher:
        torch.softmax(torch.ones(2, 2) @ torch.ones(2, 2), dim=-1)
    assert watcher.calls == []


def test_scipy_is_noted() -> None:
    """SciPy's softmax is no step of anybody's own, whatever it is called; its exponential is."""
    with CallWatcher(("softmax",)) as watcher:
        from scipy.special import softmax as another  # noqa: PLC0415 - as an answer does

        scipy.special.logsumexp(np.ones(3))
        assert not watcher.calls
        another(np.ones(3))
        scipy.special.log_softmax(np.ones(3))
    assert [one.rpartition(".")[2] for one in watcher.calls] == ["softmax", "log_softmax"]
    assert sys.getprofile() is None


def test_call_is_noted_once() -> None:
    """A forbidden function that is called in a loop is named once."""
    x = torch.ones(1, 3, 2)
    with CallWatcher(("softmax",)) as watcher:
        for _ in range(3):
            torch.softmax(x, dim=-1)
    assert watcher.calls == ["softmax"]


@pytest.mark.parametrize(
    ("more", "named", "calls"),
    [
        ((), {"is_causal": True}, ["scaled_dot_product_attention(is_causal=True)"]),
        ((None, 0.0, True), {}, ["scaled_dot_product_attention(is_causal=True)"]),
        ((), {"is_causal": False}, []),
        ((), {}, []),
    ],
    ids=["by name", "by position", "switched off", "left out"],
)
def test_option_switched_on_is_noted(more: tuple, named: dict, calls: list[str]) -> None:
    """A forbidden option is noted where it is switched on, by its name or by its position."""
    x = torch.ones(1, 3, 2)
    with CallWatcher(("is_causal",)) as watcher:
        F.scaled_dot_product_attention(x, x, x, *more, **named)
    assert watcher.calls == calls


def test_exception_is_recorded_with_the_learners_line(seen: Callable[[Forward], Observation]) -> None:
    """What the answer raises is recorded with the innermost line that is the learner's own."""

    def forward(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, dim=7)

    raised = seen(forward).raised
    assert raised.type_name == "IndexError"
    assert raised.message
    assert raised.source == "return torch.softmax(x, dim=7)"


def test_ending_the_program_is_an_exception(seen: Callable[[Forward], Observation]) -> None:
    """An answer that ends the program raised SystemExit, and the grader goes on."""

    def forward(self: nn.Module, x: torch.Tensor) -> None:
        raise SystemExit(3)

    assert seen(forward).raised.type_name == "SystemExit"


def test_exception_without_a_text_is_recorded(seen: Callable[[Forward], Observation]) -> None:
    """An exception whose own text cannot be made is recorded all the same."""

    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise ValueError

    def forward(self: nn.Module, x: torch.Tensor) -> None:
        raise Unspeakable

    assert seen(forward).raised.type_name == "Unspeakable"


def test_keyboard_interrupt_passes_through(seen: Callable[[Forward], Observation]) -> None:
    """Interrupting by hand stops the check."""

    def forward(self: nn.Module, x: torch.Tensor) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seen(forward)


def test_later_cases_run_after_one_that_raised(exercise: Exercise, reference: ExerciseReference) -> None:
    """Every case is run, even after one that raised."""

    def forward(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        if len(x) == len(reference.cases[0].arguments["x"]):
            raise ValueError
        return project(self, x)

    made = attempt(exercise, module_of(forward, exercise), reference.cases, CPU, 10.0)
    assert [seen.case for seen in made.observations] == [case.name for case in reference.cases]
    assert made.observations[0].raised
    assert "result" in made.observations[1].tensors


def test_endless_loop_is_too_slow(exercise: Exercise, reference: ExerciseReference) -> None:
    """An answer that does not end is stopped and reported as too slow."""

    def forward(self: nn.Module, x: torch.Tensor) -> None:
        while True:
            pass

    made = attempt(exercise, module_of(forward, exercise), reference.cases, CPU, SECONDS)
    assert made.problem.code == "too-slow"
    assert f"{SECONDS:g} seconds" in str(made.problem.message)


@pytest.mark.parametrize(
    ("subject", "code"),
    [(None, "not-defined"), (object, "wrong-type"), (nn.Linear(2, 2), "wrong-type"), (len, "wrong-type")],
    ids=["nothing", "no module", "an instance", "a function"],
)
def test_subject_must_be_a_module_class(subject: object, code: str, exercise: Exercise) -> None:
    """Anything but a subclass of nn.Module is a problem where a module is asked for."""
    assert subject_problem(exercise, subject).code == code


def test_module_class_is_no_problem(exercise: Exercise) -> None:
    """A subclass of nn.Module is what a module exercise asks for."""
    assert subject_problem(exercise, nn.Linear) is None


@pytest.mark.parametrize(("subject", "code"), [(None, "not-defined"), (3, "wrong-type")])
def test_subject_must_be_callable(subject: object, code: str, transfer: Exercise) -> None:
    """What cannot be called is a problem where a function is asked for."""
    assert subject_problem(transfer, subject).code == code


def test_wrong_subject_is_not_run(exercise: Exercise, reference: ExerciseReference) -> None:
    """A subject of the wrong kind gives a problem and no observations."""
    made = attempt(exercise, None, reference.cases, CPU, 10.0)
    assert (made.problem.code, made.observations) == ("not-defined", ())


def test_every_exercise_names_a_driver() -> None:
    """The drivers that exercises name are there."""
    assert {one.driver for one in EXERCISES.values()} <= known_drivers().keys()


# The driver of functions that copy weights.


def test_copied_weights_stay_when_the_source_changes(
    transfer: Exercise, transferred: Callable[[Callable], Observation]
) -> None:
    """Weights that were copied are the same after the source was overwritten."""

    def copy(v2: nn.Module, v1: nn.Module) -> None:
        for name in transfer.parameters:
            getattr(v1, name).data = v2.get_submodule(name).weight.detach().T.clone()

    observation = transferred(copy)
    for name in transfer.parameters:
        assert torch.equal(observation.tensors[f"separate/{name}"], observation.tensors[f"result/{name}"])


def test_shared_weights_change_with_the_source(
    transfer: Exercise, transferred: Callable[[Callable], Observation]
) -> None:
    """Weights that share the source's storage are seen to change with it."""

    def share(v2: nn.Module, v1: nn.Module) -> None:
        for name in transfer.parameters:
            getattr(v1, name).data = v2.get_submodule(name).weight.data.T

    observation = transferred(share)
    for name in transfer.parameters:
        assert not torch.equal(observation.tensors[f"separate/{name}"], observation.tensors[f"result/{name}"])


def test_modules_start_from_different_weights(
    transfer: Exercise, transferred: Callable[[Callable], Observation]
) -> None:
    """A function that copies nothing leaves weights that are not the source's."""
    observation = transferred(lambda v2, v1: None)
    for name in transfer.parameters:
        source = observation.tensors[f"argument/v2.{name}"]
        assert not torch.allclose(observation.tensors[f"result/{name}"], source.T)


def test_modules_are_made_on_the_cpu_whatever_the_default_device(case: Case) -> None:
    """The seed's numbers are those of the CPU, also where a cell set another default device."""
    torch.set_default_device("meta")
    try:
        module = construct(lambda *_, **__: nn.Linear(2, 2), case)
    finally:
        torch.set_default_device(None)
    assert module.weight.device.type == "cpu"
